# board: latin:9x9
# constraint: chaos-construction h1-h81
# constraint: region-run r1c1 / h1 / h1 h10 h19 h28 h37 h46 h55 h64 h73
# constraint: region-run r1c2 / h2 / h2 h11 h20 h29 h38 h47 h56 h65 h74
# constraint: region-run r1c3 / h3 / h3 h12 h21 h30 h39 h48 h57 h66 h75
# constraint: region-run r1c4 / h4 / h4 h13 h22 h31 h40 h49 h58 h67 h76
# constraint: region-run r1c5 / h5 / h5 h14 h23 h32 h41 h50 h59 h68 h77
# constraint: region-run r1c6 / h6 / h6 h15 h24 h33 h42 h51 h60 h69 h78
# constraint: region-run r1c7 / h7 / h7 h16 h25 h34 h43 h52 h61 h70 h79
# constraint: region-run r1c8 / h8 / h8 h17 h26 h35 h44 h53 h62 h71 h80
# constraint: region-run r1c9 / h9 / h9 h18 h27 h36 h45 h54 h63 h72 h81
# constraint: region-run r5c4 / h40 h31 h22 h13 h4 / h40 h49 h58 h67 h76
# constraint: region-run r2c1 / h10-h18 / h10
# constraint: region-run r2c2 / h11-h18 / h11 h10
# constraint: region-run r2c5 / h14-h18 / h14-h10
# constraint: region-run r3c1 / h19-h27 / h19
# constraint: region-run r5c1 / h37-h45 / h37
# constraint: region-run r8c5 / h68-h72 / h68-h64
# constraint: region-run r8c8 / h71 h72 / h71-h64
# constraint: region-run r9c1 / h73-h81 / h73
# constraint: region-run r9c6 / h78-h81 / h78-h73
# constraint: region-run r2c6 / h15-h10 / h15-h18 / h15 h6 / h15 h24 h33 h42 h51 h60 h69 h78
# constraint: region-run r3c3 / h21-h19 / h21-h27 / h21 h12 h3 / h21 h30 h39 h48 h57 h66 h75
# constraint: region-run r6c4 / h49-h46 / h49-h54 / h49 h40 h31 h22 h13 h4 / h49 h58 h67 h76
# constraint: region-run r6c7 / h52-h46 / h52-h54 / h52 h43 h34 h25 h16 h7 / h52 h61 h70 h79
# constraint: region-run r8c6 / h69-h64 / h69-h72 / h69 h60 h51 h42 h33 h24 h15 h6 / h69 h78
.................................................................................

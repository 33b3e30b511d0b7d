# board: 4x4
# constraint: values 2 3 h3
# constraint: sum 7 h1 r1c2
# constraint: thermometer h2 r2c3 h3
# constraint: same-values h1 / h2
1...............

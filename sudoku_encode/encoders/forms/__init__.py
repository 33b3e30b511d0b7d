"""Model formats other than CNF and CP-SAT: each module writes models in chunks, and reads the answers to them."""

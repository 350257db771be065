// Gives property tests the same seed on every run, so that results are reproducible.
// `PROPERTY_SEED=12345` explores other cases; add each failure found that way as an example to its
// test.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

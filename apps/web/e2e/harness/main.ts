// Starts the harness as the product starts: schemas are told not to compile themselves before the first of them is made.
// The rest is fetched after that, for a chunk that both pages share would otherwise run first.
import '../../src/session/calls/schema-mode.ts';

void import('./start.tsx');

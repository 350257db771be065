// Starts the harness the way the product starts: schema compilation is disabled before the first
// schema is created. The rest is loaded afterward, because a chunk that both pages share would
// otherwise run first.
import '../../src/session/calls/schema-mode.ts';

void import('./start.tsx');

// Tells the schema library not to compile functions from text: the page's policy forbids it, and trying would be
// reported as a violation. Imported before anything that parses.
import { z } from 'zod';

z.config({ jitless: true });

import type { page } from '../list/index.ts'; // violates: feature-cycle
import { insertMail } from '../../mailbox/messages/store.ts'; // violates: server-feature-entry, feature-cycle

export const rename: typeof page = insertMail;

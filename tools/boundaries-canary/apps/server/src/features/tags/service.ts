import { insertMail } from '../mail/store.ts'; // violates: server-feature-door

export const rename = insertMail;

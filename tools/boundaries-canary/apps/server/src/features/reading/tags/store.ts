import { cookie } from '../../../http/cookies.ts'; // violates: server-area

export const insertTag = cookie;

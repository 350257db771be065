import { cookie } from '../../../http/cookies.ts'; // violates: server-arrow

export const insertTag = cookie;

export const insertMail = 1;

export const mailKeys = 1;

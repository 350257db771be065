export const cookie = 1;

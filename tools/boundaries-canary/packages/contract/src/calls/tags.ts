export const tags = 1;

export const open = 1;

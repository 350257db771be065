export const permute = 1;

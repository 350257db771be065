export const hear = 1;

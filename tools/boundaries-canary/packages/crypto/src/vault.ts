export const unlock = 1;

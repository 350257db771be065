export const markRead = 1;

import purify from 'dompurify'; // violates: library-home

export const clean = purify;

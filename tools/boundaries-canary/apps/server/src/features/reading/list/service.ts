import { rename } from '../tags/index.ts'; // violates: feature-cycle

export const page = rename;

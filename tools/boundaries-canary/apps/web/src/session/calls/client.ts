import { hear } from '../news/events.ts'; // violates: web-layer

export const call = hear;

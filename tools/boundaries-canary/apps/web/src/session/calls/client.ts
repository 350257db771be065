import { hear } from '../news/events.ts'; // violates: web-room-arrow

export const call = hear;

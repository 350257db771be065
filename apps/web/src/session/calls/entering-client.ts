// The calls by which one comes in: signing up and signing in. Apart from client.ts, which the list fetches.
import { enteringApi } from '@keyfold/contract/entering';
import { clientOf } from './client.ts';

export const enteringClient = clientOf(enteringApi);

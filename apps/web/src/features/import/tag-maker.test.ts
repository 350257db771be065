// Labels of hostile mail may not keep a run asking for tags that there is no room for.
import { api, type User } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { setUser } from '../../session/state/current-user.ts';
import { createTagMaker } from './tag-maker.ts';

const server = vi.hoisted(() => ({ asked: [] as string[], save: (name: string) => ({ name }) }));
vi.mock('../../session/calls/clients/tags.ts', () => ({
  tagsClient: {
    save: async ({ tag }: { tag: { name: string; color: string } }) => {
      server.asked.push(tag.name);
      return { data: { ...server.save(tag.name), color: tag.color } };
    },
  },
}));

const { signal } = new AbortController();
const refusal = (status: number, code: string) => new CallError(api.tags.save, { status, code, message: '' });

beforeEach(() => {
  server.asked = [];
  server.save = name => {
    if (server.asked.length > 2) throw refusal(422, 'limit_reached');
    return { name };
  };
  setUser({ tags: [{ name: 'Old', color: 'blue' }] } as unknown as User);
});

test('once there is no room for another tag none is asked for, and those that are there are used', async () => {
  const ensure = createTagMaker(signal);
  expect(await ensure(['a', 'b', 'c', 'd', 'OLD'])).toEqual(['a', 'b', null, null, 'Old']);
  const labels = Array.from({ length: 1_000 }, (_, index) => `Label ${index}`);
  expect(await ensure([...labels, 'B'])).toEqual([...labels.map(() => null), 'b']);
  expect(server.asked).toEqual(['a', 'b', 'c']);
});

test('a name that cannot be a tag says nothing of the others', async () => {
  server.save = name => {
    if (name === '?') throw refusal(400, 'malformed');
    return { name };
  };
  expect(await createTagMaker(signal)(['?', 'a'])).toEqual([null, 'a']);
});

test('a run that is cancelled while the server is away does not wait for it', async () => {
  server.save = () => {
    throw refusal(503, 'unavailable');
  };
  const stop = new AbortController();
  const asked = createTagMaker(stop.signal)(['a']);
  stop.abort(new Error('cancelled'));
  await expect(asked).rejects.toThrow('cancelled');
  expect(server.asked).toEqual(['a']);
});

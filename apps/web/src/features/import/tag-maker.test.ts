// Labels of hostile mail must not make an import keep requesting tags beyond the limit.
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

test('once the tag limit is reached no more tags are requested, and existing ones are used', async () => {
  const ensure = createTagMaker(signal);
  expect(await ensure(['a', 'b', 'c', 'd', 'OLD'])).toEqual(['a', 'b', null, null, 'Old']);
  const labels = Array.from({ length: 1_000 }, (_, index) => `Label ${index}`);
  expect(await ensure([...labels, 'B'])).toEqual([...labels.map(() => null), 'b']);
  expect(server.asked).toEqual(['a', 'b', 'c']);
});

test('an invalid tag name does not affect the others', async () => {
  server.save = name => {
    if (name === '?') throw refusal(400, 'malformed');
    return { name };
  };
  expect(await createTagMaker(signal)(['?', 'a'])).toEqual([null, 'a']);
});

test('a canceled run does not wait for an unavailable server', async () => {
  server.save = () => {
    throw refusal(503, 'unavailable');
  };
  const stop = new AbortController();
  const asked = createTagMaker(stop.signal)(['a']);
  stop.abort(new Error('cancelled'));
  await expect(asked).rejects.toThrow('cancelled');
  expect(server.asked).toEqual(['a']);
});

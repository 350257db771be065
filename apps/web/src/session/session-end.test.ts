// Workers that hold mail or keys end with the session: before the keys are locked, so that none
// stops halfway, and before files are removed, so that none writes another. The workers and the
// server are stubs.
import { beforeEach, expect, test, vi } from 'vitest';
import { endWithSession } from '../crypto/worker/session-end.ts';

const { steps, logout } = vi.hoisted(() => ({ steps: [] as string[], logout: vi.fn() }));
vi.mock('./calls/clients/auth.ts', () => ({ authClient: { logout } }));
vi.mock('../crypto/key-client.ts', () => ({ lockKeys: async () => steps.push('keys') }));
vi.mock('../crypto/search-client.ts', () => ({ resumeSearch: () => undefined }));

const { loseSession, signOut } = await import('./session.ts');

vi.stubGlobal('localStorage', { removeItem: () => undefined });
vi.stubGlobal('indexedDB', { deleteDatabase: (name: string) => steps.push(name) });
vi.stubGlobal('navigator', {
  storage: {
    getDirectory: async () => {
      steps.push('files');
      return {
        keys: async function* () {
          yield* [] as string[];
        },
      };
    },
  },
});
const end = () => steps.push('export');
const endOther = () => steps.push('import');

beforeEach(() => {
  steps.length = 0;
  logout.mockReset();
  logout.mockResolvedValue({});
  for (const one of [end, endOther, end]) endWithSession(one);
});

test('signing out ends the workers before it locks the keys', async () => {
  await signOut();
  expect(steps).toEqual(['export', 'import', 'keys', 'files']);
});

test('a session ended by the server ends the workers and deletes the stored import files', async () => {
  await loseSession();
  expect(steps).toEqual(['export', 'import', 'import-files', 'keys']);
});

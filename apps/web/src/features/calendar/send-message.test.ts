// Calendar messages look up keys through the same check as every message, and again for each
// message. Server and worker are stubs.
import { beforeEach, expect, test, vi } from 'vitest';
import type { OutgoingMessage } from '../../crypto/mail/outgoing-message.ts';

const worker = { openNewDraft: async () => undefined, closeDraft: async () => undefined };
vi.mock('../../crypto/key-client.ts', () => ({ keys: () => worker }));
vi.mock('../../session/calls/clients/sending.ts', () => ({
  sendingClient: { send_private: async () => undefined },
}));
const gate = vi.hoisted(() => ({ findKeys: vi.fn(), forgetKeys: vi.fn(), sealToPinned: vi.fn() }));
vi.mock('../../session/trust/recipient-keys.ts', () => gate);
const { sendMessage } = await import('./send-message.ts');

const message = {
  from: { name: '', address: 'ann@keyfold.test' },
  to: [{ name: '', address: 'Bob@keyfold.test ' }],
  references: [],
  subject: 'Yes',
} as unknown as OutgoingMessage;

beforeEach(() => {
  gate.findKeys.mockReset();
  gate.sealToPinned.mockReset().mockImplementation(async (_handle, _message, to) => ({ to }));
});

test('seals a message for the keys that the key check allows', async () => {
  const found = { email: 'bob@keyfold.test', dh_public: 'KEY' };
  gate.findKeys.mockResolvedValue([found]);
  await sendMessage(message);
  expect(gate.forgetKeys).toHaveBeenCalledWith(['bob@keyfold.test']);
  expect(gate.sealToPinned.mock.lastCall?.[2]).toEqual([
    { email: 'bob@keyfold.test', kind: 'to', keys: found },
  ]);
});

test('seals nothing when the key check refuses', async () => {
  gate.findKeys.mockRejectedValue(new Error('Refused'));
  await expect(sendMessage(message)).rejects.toThrow('Refused');
  expect(gate.sealToPinned).not.toHaveBeenCalled();
});

test('rejects a message to a nonexistent address of the service before sealing it', async () => {
  gate.findKeys.mockResolvedValue([{ email: 'bob@keyfold.test', plaintext: true, unknown: true }]);
  await expect(sendMessage(message)).rejects.toThrow('The address bob@keyfold.test doesn’t exist.');
  expect(gate.sealToPinned).not.toHaveBeenCalled();
});

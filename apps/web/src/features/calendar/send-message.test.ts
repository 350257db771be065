// Letters of the calendar take keys through the gate of every letter, and anew for each. Server and worker are stand-ins.
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

test('a letter is sealed for the keys that the gate lets through', async () => {
  const found = { email: 'bob@keyfold.test', dh_public: 'KEY' };
  gate.findKeys.mockResolvedValue([found]);
  await sendMessage(message);
  expect(gate.forgetKeys).toHaveBeenCalledWith(['bob@keyfold.test']);
  expect(gate.sealToPinned.mock.lastCall?.[2]).toEqual([
    { email: 'bob@keyfold.test', kind: 'to', keys: found },
  ]);
});

test('nothing is sealed when the gate refuses', async () => {
  gate.findKeys.mockRejectedValue(new Error('Refused'));
  await expect(sendMessage(message)).rejects.toThrow('Refused');
  expect(gate.sealToPinned).not.toHaveBeenCalled();
});

test('a letter to an address of the service that nobody has is refused before it is sealed', async () => {
  gate.findKeys.mockResolvedValue([{ email: 'bob@keyfold.test', plaintext: true, unknown: true }]);
  await expect(sendMessage(message)).rejects.toThrow('Nobody has the address bob@keyfold.test.');
  expect(gate.sealToPinned).not.toHaveBeenCalled();
});

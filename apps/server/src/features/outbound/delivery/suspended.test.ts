// Queued mail of a suspended account waits indefinitely and is sent once the suspension ends.
import { expect, test } from 'vitest';
import { useDeliveryTest } from '../../../../tests/harness/delivery.ts';
import { OUTBOUND_GIVE_UP_MS, SUSPENDED_MAIL_WAIT_MS } from '../../../base/sending-limits.ts';

const delivery = useDeliveryTest();

const setStatus = (status: 'active' | 'suspended') =>
  delivery.app.db.updateTable('users').set({ status }).where('email', '=', delivery.ann.email).execute();

const attempts = () => delivery.app.db.selectFrom('outbound_recipients').select('attempts').execute();

test('queued mail of a suspended account counts no attempts, never expires, and is sent after reactivation', async () => {
  await delivery.stop();
  await delivery.send({ to: ['bob@outside.test'], text: 'Patience' });
  await setStatus('suspended');
  await delivery.start();
  await delivery.settled(1);
  expect(delivery.newMessages()).toEqual([]);
  delivery.clock.advance(OUTBOUND_GIVE_UP_MS + 1);
  delivery.wake();
  await delivery.settled(1);
  expect(delivery.newMessages()).toEqual([]);
  expect(await attempts()).toEqual([{ attempts: 0 }]);
  await setStatus('active');
  delivery.clock.advance(SUSPENDED_MAIL_WAIT_MS + 1);
  delivery.wake();
  await delivery.settled(0);
  expect(delivery.newMessages()).toHaveLength(1);
});

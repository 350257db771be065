// Mail that a suspended account has in the queue waits, however long, and goes out when the suspension has ended.
import { expect, test } from 'vitest';
import { useDeliveryTest } from '../../../../tests/harness/delivery.ts';
import { OUTBOUND_GIVE_UP_MS, SUSPENDED_MAIL_WAIT_MS } from '../../../base/limits.ts';

const delivery = useDeliveryTest();

const setStatus = (status: 'active' | 'suspended') =>
  delivery.app.db.updateTable('users').set({ status }).where('email', '=', delivery.ann.email).execute();

const attempts = () => delivery.app.db.selectFrom('outbound_recipients').select('attempts').execute();

test('waits uncounted, is given up by nobody, and goes out afterwards', async () => {
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

import { expect, test } from 'vitest';
import { isQuiet, isWorthNotifying, readChoices } from './notification-choices.ts';

const ALL = readChoices(null);

test('all notifications are on by default, and damaged choices fall back to the default', () => {
  expect(ALL).toMatchObject({ newEmails: true, mentions: true, security: true, quiet: false });
  for (const damaged of ['', '{', 'null', '7', '[]', '{"newEmails":"no","quietFrom":"25:00"}'])
    expect(readChoices(damaged)).toEqual(ALL);
  expect(readChoices('{"mentions":false,"quietTo":"06:30"}')).toEqual({
    ...ALL,
    mentions: false,
    quietTo: '06:30',
  });
});

test('quiet hours may span midnight', () => {
  const at = (hours: number, minutes = 0) => new Date(2026, 10, 22, hours, minutes);
  const night = { ...ALL, quiet: true };
  expect([21, 22, 23, 0, 6].map(hour => isQuiet(night, at(hour)))).toEqual([false, true, true, true, true]);
  expect([isQuiet(night, at(6, 59)), isQuiet(night, at(7))]).toEqual([true, false]);
  const noon = { ...night, quietFrom: '12:00', quietTo: '13:30' };
  expect([isQuiet(noon, at(11, 59)), isQuiet(noon, at(12)), isQuiet(noon, at(13, 30))]).toEqual([
    false,
    true,
    false,
  ]);
  expect(isQuiet({ ...night, quiet: false }, at(23))).toBe(false);
  expect(isQuiet({ ...night, quietTo: '22:00' }, at(22))).toBe(false);
});

test('each kind of mail has its own notification setting', () => {
  const own = new Set(['ann@keyfold.test']);
  const direct = { isNotice: false, to: ['Ann@keyfold.test'] };
  const list = { isNotice: false, to: ['all@list.test'] };
  const notice = { isNotice: true, to: ['ann@keyfold.test'] };
  const worth = (change: Partial<typeof ALL>) =>
    [direct, list, notice].map(mail => isWorthNotifying({ ...ALL, ...change }, mail, own));
  expect(worth({})).toEqual([true, true, true]);
  expect(worth({ newEmails: false })).toEqual([true, false, true]);
  expect(worth({ newEmails: false, mentions: false })).toEqual([false, false, true]);
  expect(worth({ security: false })).toEqual([true, true, false]);
});

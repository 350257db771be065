import { expect, test } from 'vitest';
import { addressElsewhere } from './installation.ts';

test('an address that only this computer can reach is not offered to a phone', () => {
  const of = (url: string) => addressElsewhere(new URL(url) as unknown as Location);
  expect(of('https://mail.example.org/app/config/device')).toBe('https://mail.example.org');
  expect(of('http://192.168.1.7:8000/app')).toBe('http://192.168.1.7:8000');
  for (const host of ['localhost:8000', 'mail.localhost', '127.0.0.1:8000', '[::1]:8000'])
    expect(of(`http://${host}/app`)).toBeNull();
});

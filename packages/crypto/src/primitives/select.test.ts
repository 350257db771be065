// The choice of primitives: automatic where the host has them, JavaScript where it does not, never
// a silent mix-up.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOpener } from '../opener.ts';
import { makeMail, makePair } from '../test-subjects.ts';
import { getPrimitives, loadPrimitives, randomBytes, setPrimitives } from './select.ts';

const subtle = globalThis.crypto.subtle;

/** Returns the WebCrypto of a host that lacks some algorithms. */
function hostWithout(isMissing: (algorithm: string) => boolean): SubtleCrypto {
  return new Proxy(subtle, {
    get(target, property) {
      const original = Reflect.get(target, property);
      if (typeof original !== 'function') return original;
      return (...args: unknown[]) => {
        const names = args.map(arg =>
          typeof arg === 'string' ? arg : ((arg as { name?: string })?.name ?? ''),
        );
        if (names.some(isMissing))
          return Promise.reject(new DOMException('Unrecognized name', 'NotSupportedError'));
        return Reflect.apply(original, target, args);
      };
    },
  });
}

function useHost(replacement: SubtleCrypto | undefined): void {
  vi.spyOn(globalThis.crypto, 'subtle', 'get').mockReturnValue(replacement as SubtleCrypto);
}

afterEach(() => {
  vi.restoreAllMocks();
  setPrimitives(null);
});

async function expectWorks(): Promise<void> {
  const { alice, bob } = await makePair();
  const mail = await makeMail(Uint8Array.of(1, 2, 3), alice, bob);
  expect((await (await createOpener(bob)).open(mail.received)).payload).toEqual(Uint8Array.of(1, 2, 3));
}

describe('a host', () => {
  const hosts = {
    'without ML-KEM': (name: string) => name.startsWith('ML-KEM'),
    'without X25519': (name: string) => name === 'X25519',
    'with ML-KEM but not the seed form': (name: string) => name === 'raw-seed',
    'without either': (name: string) => name.startsWith('ML-KEM') || name === 'X25519',
  };
  for (const [name, isMissing] of Object.entries(hosts))
    it(`${name} still seals and opens`, async () => {
      useHost(hostWithout(isMissing));
      await expectWorks();
    });

  it('without WebCrypto (an insecure context) still seals and opens', async () => {
    useHost(undefined);
    await expectWorks();
  });

  it('without Argon2id derives keys with WebAssembly', async () => {
    const cost = { passes: 1, memoryKib: 64, lanes: 1, outputBytes: 32 };
    const expected = await (await loadPrimitives()).argon2id(Uint8Array.of(1), new Uint8Array(20), cost);
    useHost(hostWithout(name => name === 'Argon2id'));
    const derived = await (await loadPrimitives()).argon2id(Uint8Array.of(1), new Uint8Array(20), cost);
    expect(derived).toEqual(expected);
  });

  it('that returns a wrong secret is not used natively', async () => {
    const broken = new Proxy(subtle, {
      get: (target, property) => {
        const original = Reflect.get(target, property);
        if (property === 'decapsulateBits') return async () => new ArrayBuffer(32);
        return typeof original === 'function' ? original.bind(target) : original;
      },
    });
    useHost(broken);
    await expect(loadPrimitives({ mlkem1024: 'native' })).rejects.toThrow('lacks');
    await expectWorks();
  });
});

it('a required native primitive that is missing is an error', async () => {
  useHost(hostWithout(name => name === 'X25519'));
  await expect(loadPrimitives({ x25519: 'native' })).rejects.toThrow('The host lacks a native primitive');
});

it('the primitives are selected once', () => {
  expect(getPrimitives()).toBe(getPrimitives());
});

it('randomBytes returns more bytes than one host call allows', () => {
  const bytes = randomBytes(200_000);
  expect(bytes).toHaveLength(200_000);
  for (let start = 0; start < bytes.length; start += 50_000)
    expect(bytes.subarray(start, start + 50_000).some(byte => byte !== 0)).toBe(true);
});

// The two encodings of PST data blocks ([MS-PST] 5.1 and 5.2). They have no key and provide no
// secrecy; the tables are constants of that document.

const TABLE_OUT =
  '47f1b4e60b6a7248854e9eebe2f89453e0bba002e85a09abdbe3bac67cc310dd39059630f53760828cc9134a6b1df3fb' +
  '8f2697ca911701c4322d6e3195ffd923d1005e79dc443b1a28c5615720903d83b943be67d2464276c06d5b7eb20f1629' +
  '3ca903540dda5ddff6b7c762cd8d06d3695c86d614f7a56675acb1e94521700c879f74a4224c6fbf1f56aa2eb3783350' +
  'b0a392bccf191ca763cb1e4d3e4b1b9b4fe7f0eead3ab55904ea40552551e57a893868527bfc27aed7bdfa07f4cc8e5f' +
  'ef359c842b15d5773449b6120a7f7188fd9d18417d93d8582ccefe24afdeb836c8a180a69998a82f0e816573e4c2a28a' +
  'd4e111d0088b2af2ed9a643fc16cf9ec';
const TABLE_MIDDLE =
  '14530f56b3c87a9ceb65481716159f02cc547c83000d0c0ba262a876dbd9edc7c5a4dcac8574d6d0a79bae9a967166c3' +
  '6399b8dd73928e847da55ed15d93b1575150808952944f4e0a6bbc8d7f6e47464140440111cb033ff7f4e1a98f3c3af9' +
  'fbf0193082092ec99da08649ee6f4d6dc42d813425871b88aafc06a11238fd4c4272641337246a757743ffe6b44b365c' +
  'e4d8353d45b92cecb7312b290768a30e697b189e2139be281a5b78f523ca2ab0af3efe048ce7e5983295d3f64ae8a6ea' +
  'e9f3d52f7020f21f0567ad5510cecde3273bdabad7c226d4911dd21c2233f8faf15aefcf90b68bb5bdc0bf08971e6ce2' +
  '61e0c6c159abbb58de5fdf60797eb28a';

const tableOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16));

const out = tableOf(TABLE_OUT);
const middle = tableOf(TABLE_MIDDLE);
const into = new Uint8Array(256);
out.forEach((to, from) => {
  into[to] = from;
});

/** Encoding of the data blocks of a file: bCryptMethod of its header. */
export type BlockCipher = 'none' | 'permute' | 'cyclic';

/** Decodes a block in place. `blockId` is its BID, of which only the lower 32 bits count. */
export function showBlock(bytes: Uint8Array, cipher: BlockCipher, blockId: number): void {
  if (cipher === 'permute') {
    for (let index = 0; index < bytes.length; index++) bytes[index] = out[bytes[index] as number] as number;
  } else if (cipher === 'cyclic') {
    const low = blockId % 0x1_0000_0000;
    let salt = ((low ^ (low / 0x1_0000)) & 0xffff) >>> 0;
    for (let index = 0; index < bytes.length; index++) {
      const [first, second] = [salt & 0xff, (salt >> 8) & 0xff];
      const inner = into[((bytes[index] as number) + first) & 0xff] as number;
      const turned = middle[(inner + second) & 0xff] as number;
      bytes[index] = (out[(turned - second) & 0xff] as number) - first;
      salt = (salt + 1) & 0xffff;
    }
  }
}

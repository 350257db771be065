/**
 * The cost of a message list with OpenPGP.js. It has no summaries, so 50 messages are decrypted and
 * their signatures verified. Messages are passed as bytes (no armor to parse) and keys are already
 * parsed, which is its best case.
 */

/** Returns the keys of a sender and a reader, and `payloads` sealed by one for the other. */
export async function prepare(openpgp, keyOptions, payloads) {
  const makeKey = async email => {
    const { privateKey } = await openpgp.generateKey({
      ...keyOptions,
      userIDs: [{ email }],
      format: 'object',
    });
    return privateKey;
  };
  const [sender, reader] = [await makeKey('alice@x.test'), await makeKey('bob@x.test')];
  const messages = [];
  for (const binary of payloads)
    messages.push(
      await openpgp.encrypt({
        message: await openpgp.createMessage({ binary }),
        encryptionKeys: reader.toPublic(),
        signingKeys: sender,
        format: 'binary',
      }),
    );
  return { openpgp, reader, senderPublic: sender.toPublic(), messages };
}

async function openOne({ openpgp, reader, senderPublic }, binaryMessage) {
  const { data, signatures } = await openpgp.decrypt({
    message: await openpgp.readMessage({ binaryMessage }),
    decryptionKeys: reader,
    verificationKeys: senderPublic,
    format: 'binary',
  });
  await signatures[0].verified;
  return data;
}

/** Decrypts and verifies all of them, `atOnce` at a time. */
export async function openMessages(peer, atOnce) {
  const opened = [];
  for (let start = 0; start < peer.messages.length; start += atOnce)
    opened.push(
      ...(await Promise.all(peer.messages.slice(start, start + atOnce).map(one => openOne(peer, one)))),
    );
  return opened;
}

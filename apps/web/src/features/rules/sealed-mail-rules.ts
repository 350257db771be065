// Applies the rules to sealed mail that has arrived: the server cannot see its subject, so this
// device opens the summary and runs the matching actions (docs/interface.md; docs/spec-map.md 3).
// Each device checks each message once: it stores the time of the last one, and only one of several
// tabs does the work. The rules for plain mail ran on arrival.
import type { Email, Rule } from '@keyfold/contract';
import { createRuleMatcher } from '@keyfold/mail/rules';
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../crypto/key-client.ts';
import { findSetting, keepSetting } from '../../lib/local-storage.ts';
import { mailClient } from '../../session/calls/clients/mail.ts';
import { tagsClient } from '../../session/calls/clients/tags.ts';
import { refreshMail } from '../mail/state/queries.ts';
import { getRules } from './queries.ts';

/**
 * Maximum number of messages per run. More have arrived only after a long absence, and the rest are
 * not processed.
 */
const MAILS_AT_ONCE = 100;

type Actions = Rule['actions'];

/** Makes the calls for one message. Later calls see the effects of earlier ones. */
async function apply(mail: Email, actions: Actions): Promise<void> {
  const email_id = [mail.id];
  const tags = [...new Set([...mail.tags, ...actions.tags])];
  if (tags.length > mail.tags.length) await tagsClient.tag_email({ email_id, tags });
  if (actions.read) await mailClient.read({ email_id, value: true });
  if (actions.star) await mailClient.star({ email_id, value: true });
  if (actions.archive) await mailClient.archive({ email_id, value: true });
  if (actions.flag) await mailClient.flag({ email_id, value: true });
  if (actions.delete) await mailClient.remove({ email_id, recoverable: true });
}

/** Returns the sealed unread messages after a given time, oldest first. */
async function sealedSince(since: string): Promise<Email[]> {
  const { data } = await mailClient.query({
    public: false,
    sent: false,
    read: false,
    draft: false,
    deleted: false,
    count: MAILS_AT_ONCE,
    view: 'summary',
  });
  // A message whose snooze ended moves to the top of the list, but it was not received again.
  return data
    .filter(mail => !mail.alert && mail.snoozed_until === null && mail.received_at > since)
    .reverse();
}

/** Runs the rules on a message. Returns whether it was changed. */
async function ruleMail(mail: Email, match: ReturnType<typeof createRuleMatcher>): Promise<boolean> {
  const [row] = await keys().openRows([mail]);
  // A message that does not open has no text to match, so it stays where it is.
  if (row === undefined || row.failed !== null) return false;
  const { from, to, cc, subject } = row.summary;
  const actions = match({ from: [from], to, cc, subject });
  if (actions === null) return false;
  await apply(mail, { ...actions, tags: [...actions.tags] });
  return true;
}

/** `owner` distinguishes the mailboxes used in one browser: the id of the mailbox's public keys. */
async function runOnce(cache: QueryClient, owner: string): Promise<void> {
  const setting = `rules_since_${owner}`;
  const since = findSetting(setting);
  if (since === null) {
    // On the first run on this device, existing messages are skipped: another device has seen them.
    keepSetting(setting, new Date().toISOString());
    return;
  }
  const rules = (await getRules(cache)).filter(rule => rule.enabled);
  const mails = await sealedSince(since);
  const match = createRuleMatcher(rules);
  let hasChanged = false;
  for (const mail of mails) {
    if (rules.length > 0) hasChanged = (await ruleMail(mail, match)) || hasChanged;
    keepSetting(setting, mail.received_at);
  }
  if (hasChanged) await refreshMail(cache);
}

/** Runs the rules unless another tab does. Failed work is retried with the next arrival. */
export async function runSealedMailRules(cache: QueryClient, owner: string): Promise<void> {
  const work = () => runOnce(cache, owner).catch(() => undefined);
  if (navigator.locks === undefined) await work();
  else
    await navigator.locks.request(`keyfold-rules-${owner}`, { ifAvailable: true }, lock =>
      lock === null ? undefined : work(),
    );
}

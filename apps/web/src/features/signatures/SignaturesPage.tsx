// `/app/config/signatures` (docs/spec-map.md 3, 7; docs/interpretations.md#92): the signatures,
// which of them new messages start with, also per sender address, and their editor.
import type { Signature } from '@keyfold/contract';
import { SIGNATURE_HTML_MAX_CHARACTERS, SIGNATURE_TEXT_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { PenLine } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { signaturesClient } from '../../session/calls/clients/signatures.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { signaturesQuery, useSignatures } from '../compose/draft/queries.ts';
import { addressesOf, addressSignaturesQuery, keepAddresses } from '../compose/text/address-signatures.ts';
import { TextEntryPage } from './TextEntryPage.tsx';

/** A signature with the sender addresses whose messages start with it. */
type Entry = Signature & { readonly addresses: readonly string[] };

const maxCharacters = { html: SIGNATURE_HTML_MAX_CHARACTERS, text: SIGNATURE_TEXT_MAX_CHARACTERS } as const;

const words = () => ({
  title: t('Signatures'),
  about: t('Signatures appear below your text. You can choose a different one for each message, or none.'),
  create: t('New signature'),
  change: t('Edit signature'),
  none: t('No signatures yet'),
  noneAbout: t('Create a signature to add it to your messages.'),
  notFetched: t('Couldn’t load signatures.'),
  deleted: t('Signature deleted'),
  field: t('Signature'),
});

async function save({ id, addresses, ...content }: Entry): Promise<void> {
  const { data } = await (id === ''
    ? signaturesClient.create(content)
    : signaturesClient.change({ id, ...content }));
  await keepAddresses(data.id, addresses);
}

export function SignaturesPage() {
  const user = useUser();
  const { data, ...fetching } = useSignatures();
  const { data: choices = {} } = useQuery(addressSignaturesQuery);
  const own = user === null ? [] : [...new Set([user.email, ...user.addresses])];
  const toggle = ({ addresses }: Entry, address: string, isOn: boolean) =>
    isOn ? [...addresses, address.toLowerCase()] : addresses.filter(one => one !== address.toLowerCase());
  return (
    <TextEntryPage
      words={words()}
      icon={<PenLine />}
      all={data?.map((signature): Entry => ({ ...signature, addresses: addressesOf(choices, signature.id) }))}
      fetching={fetching}
      maxCharacters={maxCharacters}
      queryKeys={[signaturesQuery.queryKey, addressSignaturesQuery.queryKey]}
      begin={() => ({
        id: '',
        name: '',
        html_content: '',
        plain_text: '',
        is_default: data?.length === 0,
        addresses: [],
      })}
      isNew={({ id }) => id === ''}
      revive={signature => ({ ...signature, id: '' })}
      textOf={({ name, html_content, plain_text }) => ({ name, html: html_content, text: plain_text })}
      withText={(signature, { name, html, text }) => ({
        ...signature,
        name,
        html_content: html,
        plain_text: text,
      })}
      save={save}
      remove={({ id }) => signaturesClient.remove({ id })}
      extras={(signature, change) => ({
        badge: (
          <>
            {signature.is_default && <Badge tone="neutral">{t('Default')}</Badge>}
            {own.length > 1 &&
              signature.addresses.map(address => (
                <Badge key={address} tone="neutral">
                  <bdi>{address}</bdi>
                </Badge>
              ))}
          </>
        ),
        extra: signature.is_default ? undefined : (
          <Button size="sm" variant="quiet" onClick={() => change({ ...signature, is_default: true })}>
            {t('Make default')}
          </Button>
        ),
      })}
      settings={(signature, change) => (
        <div>
          <CheckboxLine
            label={t('Use by default')}
            checked={signature.is_default}
            onChange={is_default => change({ ...signature, is_default })}
          />
          {own.length > 1 &&
            own.map(address => (
              <CheckboxLine
                key={address}
                label={t('Use for messages from {address}', { address })}
                checked={signature.addresses.includes(address.toLowerCase())}
                onChange={isOn => change({ ...signature, addresses: toggle(signature, address, isOn) })}
              />
            ))}
        </div>
      )}
    />
  );
}

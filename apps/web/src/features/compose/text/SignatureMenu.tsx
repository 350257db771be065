// Selects the signature of a draft: none, or one of the account's.
import { PenLine } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { useSignatures } from '../draft/queries.ts';

export type ChosenSignature = {
  readonly id: string;
  readonly html_content: string;
  readonly plain_text: string;
};

type SignatureMenuProps = {
  chosenId: string | null;
  isDisabled: boolean;
  onChoose: (signature: ChosenSignature | null) => void;
};

/** Renders nothing while the account has no signatures. */
export function SignatureMenu({ chosenId, isDisabled, onChoose }: SignatureMenuProps) {
  const { data: all = [] } = useSignatures();
  if (all.length === 0) return null;
  return (
    <Menu
      align="start"
      trigger={
        <IconButton tip={false} label={t('Signature')} disabled={isDisabled}>
          <PenLine size={17} />
        </IconButton>
      }
    >
      <MenuItem checked={chosenId === null} onSelect={() => onChoose(null)}>
        {t('No signature')}
      </MenuItem>
      {all.map(one => (
        <MenuItem key={one.id} checked={one.id === chosenId} onSelect={() => onChoose(one)}>
          <bdi>{one.name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  );
}

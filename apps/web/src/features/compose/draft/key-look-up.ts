/**
 * Looks up the keys of a draft's recipients and retries on failure. The composer decides what
 * follows from the keys.
 */
import { callErrorText } from '../../../session/calls/error-text.ts';
import { findBook } from '../../../session/trust/address-book.ts';
import { emptyBook, findPerson } from '../../../session/trust/pins.ts';
import { findKeys } from '../../../session/trust/recipient-keys.ts';
import { KEY_RETRY_MS } from '../../../timing.ts';
import { type DraftEvent, isOver } from './draft-machine.ts';
import { isOffline } from './draft-sender.ts';
import { type Addressee, addresseesOf, type DraftState } from './draft-state.ts';

/** Returns the names that the address book has for these addresses. */
function contactNames(addresses: readonly string[]): ReadonlyMap<string, string> {
  const book = findBook() ?? emptyBook;
  return new Map(
    addresses.flatMap(address => {
      const person = findPerson(book, address);
      return person?.isContact ? [[address, person.name]] : [];
    }),
  );
}

export function createKeyLookUp(state: () => DraftState, dispatch: (event: DraftEvent) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownError: string | null = null;

  const lookUp = async (people: readonly Addressee[]): Promise<void> => {
    const asked = people.filter(({ isInvalid }) => !isInvalid).map(({ person }) => person.address);
    if (asked.length === 0) return;
    const answers = await findKeys(asked);
    const found = new Map(asked.map((address, index) => [address, answers[index]]));
    dispatch({ kind: 'keysFound', found, names: contactNames(asked) });
  };

  const lookUpMissing = (): void => {
    clearTimeout(timer);
    lookUp(addresseesOf(state()).filter(one => one.keys === null)).then(
      () => {
        if (shownError !== null && state().sendError === shownError)
          dispatch({ kind: 'errorShown', text: null });
        shownError = null;
      },
      error => {
        if (isOver(state().phase)) return;
        shownError = isOffline(error) ? null : callErrorText(error);
        if (shownError !== null) dispatch({ kind: 'errorShown', text: shownError });
        timer = setTimeout(lookUpMissing, KEY_RETRY_MS);
      },
    );
  };

  return {
    /** Looks up these recipients. Rejects with CallError. */
    lookUp,
    /**
     * Looks up missing keys until all are known. Shows the reason of a failure unless there is no
     * connection.
     */
    lookUpMissing,
    stop: () => clearTimeout(timer),
  };
}

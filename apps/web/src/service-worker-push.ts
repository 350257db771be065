// What the service worker does when something is pushed: a push has a type, an id and a number, and no word of a mail. The
// words come from a page of this site that is open and has the keys, or else are the plain ones that the page kept here in
// its language. Runs in the service worker alone.

type ShownNotification = {
  readonly tag: string;
  readonly data: unknown;
  close(): void;
};
type PushScope = {
  readonly registration: {
    getNotifications(): Promise<readonly ShownNotification[]>;
    showNotification(title: string, options: NotificationOptions): Promise<void>;
  };
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PushWindow[]>;
  };
  readonly navigator: {
    readonly userAgent: string;
    setAppBadge?: (count: number) => Promise<void>;
    clearAppBadge?: () => Promise<void>;
  };
};
type PushWindow = {
  readonly focused: boolean;
  readonly visibilityState: string;
  postMessage(message: unknown, transfer: Transferable[]): void;
};

type Words = {
  readonly title: string;
  readonly body: string;
};
type Pushed = {
  readonly type: 'mail' | 'security' | 'summary' | 'read' | 'test';
  readonly id: string | null;
  readonly badge: number;
};

/** Where a page keeps the plain words, in a cache that goes at sign-out. */
const wordsCache = 'mail-push';
const wordsFile = '/push-words';
/** A page that has not answered by then is not waited for, milliseconds. */
const PATIENCE_MS = 3_000;
/** Mails that are shown one by one; with more they become one notification. */
const SINGLE_MAX = 3;
/** Tags of notifications that are no mail's. */
const manyTag = 'many';
const testTag = 'test';
const types: readonly string[] = ['mail', 'security', 'summary', 'read', 'test'];

/** What was pushed; null for what is none of ours. */
export function readPush(text: string | undefined): Pushed | null {
  try {
    const { type, id, badge } = JSON.parse(text ?? '') as Record<string, unknown>;
    if (typeof type !== 'string' || !types.includes(type)) return null;
    return {
      type: type as Pushed['type'],
      id: typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : null,
      badge: typeof badge === 'number' && badge > 0 ? Math.trunc(badge) : 0,
    };
  } catch {
    return null;
  }
}

async function keptWords({ type, badge }: Pushed): Promise<Words> {
  const kept = await caches
    .match(wordsFile, { cacheName: wordsCache })
    .then(answer => answer?.json() as Promise<Record<string, Partial<Words>>> | undefined)
    .catch(() => undefined);
  const { title = 'Keyfold', body = 'New message' } = kept?.[type] ?? {};
  return { title, body: body.replace('{count}', String(badge)) };
}

/** The words that a page has for a mail; null without a page, or when it cannot open it. */
function askPages(pages: readonly PushWindow[], id: string): Promise<Words | null> {
  const asked = pages.map(
    page =>
      new Promise<Words>((resolve, reject) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => {
          port1.close();
          if (typeof data?.title === 'string' && typeof data?.body === 'string') resolve(data);
          else reject(new Error('It has no words'));
        };
        page.postMessage({ pushed: id }, [port2]);
      }),
  );
  const late = new Promise<null>(resolve => setTimeout(() => resolve(null), PATIENCE_MS));
  return Promise.race([Promise.any(asked).catch(() => null), late]);
}

/** The number on the program's icon, where there is one; never below 0. */
async function showBadge({ navigator }: PushScope, count: number): Promise<void> {
  await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => undefined);
}

const tagOf = ({ type, id }: Pushed): string => (type === 'summary' ? manyTag : (id ?? type));
/** Where notices about the account lead. */
const noticeTarget = '#/security';
const targetOf = ({ type, id }: Pushed): string =>
  type === 'security' ? noticeTarget : type === 'mail' && id !== null ? `#/email/${id}` : '#/inbox';

/** Notices about the account stay until somebody takes them away: whoever has got in reads the notice of that first. */
const isNotice = ({ data }: ShownNotification): boolean =>
  (data as { readonly target?: unknown } | null | undefined)?.target === noticeTarget;

/** Safari takes the permission away from who shows nothing; other browsers do not mind while the page is looked at. */
const mustShow = ({ navigator: { userAgent } }: PushScope): boolean =>
  userAgent.includes('AppleWebKit') && !/Chrom|Edg/.test(userAgent);

/** Shows what was pushed, or takes away what was read. */
export async function tellOfPush(scope: PushScope, push: Pushed): Promise<void> {
  await showBadge(scope, push.badge);
  const shown = (await scope.registration.getNotifications()).filter(
    one => one.tag !== testTag && !isNotice(one),
  );
  if (push.type === 'read') {
    for (const one of shown) if (one.tag === push.id || push.badge === 0) one.close();
    return;
  }
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const isLookedAt = pages.some(page => page.focused && page.visibilityState === 'visible');
  if (isLookedAt && push.type !== 'test' && !mustShow(scope)) return;
  const mails = shown.filter(one => one.tag !== manyTag && one.tag !== push.id);
  // When this is the only unread mail, the others have been read somewhere.
  if (push.type === 'mail' && push.badge === 1) for (const one of [...mails, ...shown]) one.close();
  const isMany =
    push.type === 'mail' &&
    push.badge > 1 &&
    (mails.length >= SINGLE_MAX || shown.some(one => one.tag === manyTag));
  const told: Pushed = isMany || push.type === 'summary' ? { ...push, type: 'summary', id: null } : push;
  if (told.type === 'summary') for (const one of mails) one.close();
  const isMail = told.type === 'mail' || told.type === 'security';
  const words =
    (isMail && told.id !== null ? await askPages(pages, told.id) : null) ?? (await keptWords(told));
  await scope.registration.showNotification(words.title, {
    body: words.body,
    tag: tagOf(told),
    data: { target: targetOf(told) },
  });
}

// Handles pushes in the service worker. A push carries a type, an id and a number, and no content
// of a message. The notification text comes from an open page of this site that has the keys, or
// else from the generic texts that the page stored here in its language. Runs only in the service
// worker.

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

/** The cache in which a page stores the generic texts; sign-out removes it. */
const wordsCache = 'mail-push';
const wordsFile = '/push-words';
/** How long to wait for a page's answer, in milliseconds. */
const PATIENCE_MS = 3_000;
/** Maximum number of messages notified one by one; above that, one notification covers them all. */
const SINGLE_MAX = 3;
/** Tags of notifications that do not belong to a single message. */
const manyTag = 'many';
const testTag = 'test';
const types: readonly string[] = ['mail', 'security', 'summary', 'read', 'test'];

/** Parses a push; null if it is not one of ours. */
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

/**
 * Asks open pages for the text of a message's notification; null without a page, or when none can
 * open the message.
 */
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

/** Shows the number on the app's icon, where supported; never below 0. */
async function showBadge({ navigator }: PushScope, count: number): Promise<void> {
  await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => undefined);
}

const tagOf = ({ type, id }: Pushed): string => (type === 'summary' ? manyTag : (id ?? type));
/** Target of account notices. */
const noticeTarget = '#/security';
const targetOf = ({ type, id }: Pushed): string =>
  type === 'security' ? noticeTarget : type === 'mail' && id !== null ? `#/email/${id}` : '#/inbox';

/**
 * Account notices stay until the user dismisses them, because an intruder would be the first to
 * read the message that contains the notice.
 */
const isNotice = ({ data }: ShownNotification): boolean =>
  (data as { readonly target?: unknown } | null | undefined)?.target === noticeTarget;

/**
 * Safari revokes the permission of sites that receive a push without showing a notification; other
 * browsers tolerate it while the page is visible.
 */
const mustShow = ({ navigator: { userAgent } }: PushScope): boolean =>
  userAgent.includes('AppleWebKit') && !/Chrom|Edg/.test(userAgent);

/** Shows a notification for a push, or dismisses those of messages that were read. */
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
  // If this is the only unread message, the others have been read elsewhere.
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

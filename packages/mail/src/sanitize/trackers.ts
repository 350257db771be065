// Distinguishes tracking pictures from pictures meant to be seen. The guess determines the count on
// the remote-content strip and what stays blocked when pictures are loaded. A miss costs privacy,
// so the host list is generous.

// Hosts, including subdomains, whose pictures in messages serve to count openings.
const HOSTS = new Set(
  (
    'list-manage.com mailtrack.io getnotify.com yesware.com bananatag.com mixmax.com streak.com emltrk.com ' +
    'cirrusinsight.com sidekickopen01.com sidekickopen02.com t.sidekickopen.com hubspotemail.net hubspotlinks.com ' +
    'mandrillapp.com customeriomail.com track.customer.io pstmrk.it sparkpostmail.com cmail19.com cmail20.com ' +
    'createsend.com exct.net rs6.net awstrack.me outreach.io salesloft.com mktoresp.com klclick.com klaviyomail.com ' +
    'trk.klclick.com sendibm1.com sendibt3.com mailstat.us bl-1.com google-analytics.com doubleclick.net ' +
    'pixel.wp.com facebook.com litmus.com eloqua.com pardot.com intercom-mail.com acemlna.com acemlnb.com ' +
    'emltrk.net mjt.lu mailgun.org superhuman.com contactmonkey.com readnotify.com whoreadme.com boxbe.com vtiger.com'
  ).split(' '),
);

const PATHS =
  /\/(?:wf\/open|track\/open|open\/track|open\.(?:php|aspx|gif|html)|o\.gif|e\/o\/|q\/[\w-]{20,}|pixel(?:\.(?:gif|png))?(?:[/?]|$)|beacon|ls\/(?:o|open)|trk\/|tr\/op\/|imp\?|1x1\.(?:gif|png)|spacer\.gif\?)/i;

/** Reports whether this address looks like a tracker. Returns false for invalid addresses. */
export function isTrackerUrl(address: string): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false;
  }
  const labels = url.hostname.toLowerCase().split('.');
  for (let index = 0; index < labels.length - 1; index++)
    if (HOSTS.has(labels.slice(index).join('.'))) return true;
  return PATHS.test(url.pathname + url.search);
}

const PX_PER_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  q: 96 / 101.6,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
};

/** A picture of this size, in CSS pixels, shows nothing recognizable. */
const SPECK_PX = 2;

/** Longer values are not real sizes. */
const LENGTH_MAX_CHARACTERS = 64;

function isTiny(length: string | null): boolean {
  if (length !== null && length.length > LENGTH_MAX_CHARACTERS) return false;
  const [, count, unit = ''] = /^\s*\+?(\d*\.?\d+|\d+\.)\s*([a-z]{0,3})\s*$/i.exec(length ?? '') ?? [];
  const px = Number(count) * (PX_PER_UNIT[unit.toLowerCase()] ?? Number.NaN);
  return px <= SPECK_PX;
}

/**
 * Reports whether a picture is too small or hidden to be seen: `style` is its declarations, sizes
 * as written.
 */
export function isHiddenPicture(width: string | null, height: string | null, style: string): boolean {
  const found = (property: string) =>
    new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]*)`, 'i').exec(style)?.[1] ?? null;
  const plain = (property: string) =>
    found(property)
      ?.replace(/!\s*important/i, '')
      .trim() ?? null;
  const isSmall = (side: string, attribute: string | null) =>
    isTiny(plain(side) ?? attribute) || isTiny(plain(`max-${side}`));
  const [isNarrow, isLow] = [isSmall('width', width), isSmall('height', height)];
  // A picture with zero width is invisible, whatever its height.
  const isGone = (side: string, attribute: string | null) =>
    /^0+(?:\.0+)?(?:px|%|r?em)?$/i.test((plain(side) ?? attribute ?? '').trim()) ||
    /^0+(?:px|%|r?em)?$/i.test(plain(`max-${side}`) ?? '');
  if ((isNarrow && isLow) || isGone('width', width) || isGone('height', height)) return true;
  if (/(?:^|\s)scale(?:3d|x|y)?\(\s*0?\.?0+\s*[,)]/i.test(plain('transform') ?? '')) return true;
  return (
    /^none/i.test(found('display') ?? '') ||
    /^hidden/i.test(found('visibility') ?? '') ||
    /^0*\.?0\d*$/.test((plain('opacity') ?? '').slice(0, LENGTH_MAX_CHARACTERS))
  );
}

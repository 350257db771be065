// Names of time zones as mail writes them, in minutes east of Greenwich. If a name has several
// meanings, RFC 5322 §4.3 decides, then the larger number of senders. The calendar handles zone
// rules that change over the years.

const ZONES: readonly (readonly [names: string, minutes: number])[] = [
  ['ut utc gmt z wet egst', 0],
  ['cet met mez west bst wat mewt', 60],
  ['cest mest mesz cemt eet sast cat wast ces hec', 120],
  ['eest msk eat trt idt fet syot oesz', 180],
  ['msd gst samt get azt kuyt mut sct', 240],
  ['pkt yekt uzt tjt tmt mvt', 300],
  ['omst almt novt bdt kgt iot', 360],
  ['ict wib krat hovt cxt', 420],
  ['awst hkt sgt pht phst wita irkt myt ulat choat', 480],
  ['jst kst wit yakt awdt tlt pwt', 540],
  ['aest vlat chst pgt ddut', 600],
  ['aedt magt nct sbt vut sakt lhdt', 660],
  ['nzst nzt fjt pett mht tvt wakt anat', 720],
  ['nzdt tot phot', 780],
  ['irst', 210],
  ['irdt aft', 270],
  ['ist slst', 330],
  ['npt', 345],
  ['mmt cct', 390],
  ['acst', 570],
  ['acdt lhst', 630],
  ['azot cvt egt', -60],
  ['brst fnt uyst pmdt', -120],
  ['ndt', -150],
  ['brt art clst uyt adt gft srt rott wgt pmst fkst', -180],
  ['nst', -210],
  ['ast edt clt bot vet pyt amt gyt', -240],
  ['est cdt cot pet ect act', -300],
  ['cst mdt east galt', -360],
  ['mst pdt', -420],
  ['pst akdt', -480],
  ['akst hadt hdt gamt', -540],
  ['hst hast taht ckt', -600],
  ['sst nut', -660],
];
const OFFSETS = new Map(
  ZONES.flatMap(([names, minutes]) => names.split(' ').map(name => [name, minutes] as const)),
);

const REGIONS: Readonly<Record<string, number>> = {
  eastern: -300,
  central: -360,
  mountain: -420,
  pacific: -480,
};
const MAX_MINUTES = 14 * 60;

/**
 * Returns the offset of a zone such as `CEST`, `+0200`, `GMT+2` or `Pacific Daylight Time`, in
 * minutes east of Greenwich; null for others.
 */
export function findOffset(zone: string): number | null {
  const text = zone.trim().toLowerCase();
  const numeric = /^(?:gmt|utc|ut)?\s*([+\-\u2212\u2013])\s*(\d{1,2})(?::?([0-5]\d))?$/.exec(text);
  if (numeric) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
    if (minutes > MAX_MINUTES) return null;
    return numeric[1] === '+' ? minutes : -minutes;
  }
  const spelled = /^(eastern|central|mountain|pacific) (standard|daylight) time$/.exec(text);
  if (spelled) return (REGIONS[spelled[1] ?? ''] ?? 0) + (spelled[2] === 'daylight' ? 60 : 0);
  return OFFSETS.get(text.replaceAll('.', '')) ?? null;
}

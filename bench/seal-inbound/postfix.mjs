/**
 * The first peer: Debian's Postfix, unpacked under .cache/bench and run as a separate instance that
 * delivers to maildirs. Nothing of it is installed into the system. It needs root, as Postfix does,
 * and Debian's package archive.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const cache = path.resolve(import.meta.dirname, '../../.cache/bench/postfix');
const DOMAIN = 'keyfold.test';
/** Accounts that every Debian system has: Postfix runs as the first and delivers as the second. */
const OWNER = { name: 'daemon', id: 1 };
const DELIVERER_ID = 65534;
const QUEUE_FOLDERS =
  'active bounce corrupt defer deferred flush hold incoming private maildrop public saved trace pid'.split(
    ' ',
  );

const SERVICES = ({ port }) => `
127.0.0.1:${port} inet n - n - 100 smtpd
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
error     unix - - n - - error
retry     unix - - n - - error
virtual   unix - n n - - virtual
anvil     unix - - n - 1 anvil
showq     unix n - n - - showq
`;

const SETTINGS = ({ home, libraries }) => `
compatibility_level = 3.6
queue_directory = ${home}/queue
data_directory = ${home}/state
daemon_directory = ${libraries}/sbin
command_directory = ${cache}/usr/sbin
shlib_directory = ${libraries}
import_environment = LD_LIBRARY_PATH=${libraries} MAIL_CONFIG=${home}/conf
mail_owner = ${OWNER.name}
setgid_group = games
default_privs = nobody
myhostname = mail.${DOMAIN}
mydestination =
local_recipient_maps =
alias_maps =
mynetworks = 10.255.255.255/32
inet_protocols = ipv4
smtpd_peername_lookup = no
smtpd_relay_restrictions = reject_unauth_destination
smtpd_client_connection_count_limit = 0
virtual_mailbox_domains = ${DOMAIN}
virtual_mailbox_base = ${home}/mail
virtual_mailbox_maps = texthash:${home}/conf/mailboxes
virtual_uid_maps = static:${DELIVERER_ID}
virtual_gid_maps = static:${DELIVERER_ID}
`;

function unpack() {
  if (existsSync(path.join(cache, 'usr/lib/postfix/sbin/master'))) return;
  mkdirSync(cache, { recursive: true });
  execFileSync('apt-get', ['download', 'postfix'], { cwd: cache, stdio: 'ignore' });
  const archive = readdirSync(cache).find(name => name.endsWith('.deb'));
  if (archive === undefined) throw new Error('apt-get downloaded no package');
  execFileSync('dpkg', ['-x', path.join(cache, archive), cache]);
}

/** Returns why this peer is unavailable here, or null. */
export function findPostfixProblem() {
  if (process.getuid?.() !== 0) return 'Postfix needs root';
  try {
    unpack();
    return null;
  } catch (error) {
    return `Postfix could not be fetched: ${error.message.split('\n')[0]}`;
  }
}

function makeFolder(folder, owner = 0, mode = 0o755) {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, owner, 0);
  chmodSync(folder, mode);
}

/** Starts Postfix with the requested number of mailboxes. */
export async function startPostfix({ accounts, port }) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kf-postfix-'));
  const libraries = path.join(cache, 'usr/lib/postfix');
  const recipients = Array.from({ length: accounts }, (_, index) => `user${index}@${DOMAIN}`);
  for (const folder of ['', 'conf', 'queue']) makeFolder(path.join(home, folder));
  for (const folder of QUEUE_FOLDERS) makeFolder(path.join(home, 'queue', folder), OWNER.id, 0o700);
  makeFolder(path.join(home, 'queue/pid'));
  makeFolder(path.join(home, 'state'), OWNER.id, 0o700);
  makeFolder(path.join(home, 'mail'), DELIVERER_ID);
  writeFileSync(path.join(home, 'conf/main.cf'), SETTINGS({ home, libraries }));
  writeFileSync(path.join(home, 'conf/master.cf'), SERVICES({ port }));
  writeFileSync(
    path.join(home, 'conf/mailboxes'),
    recipients.map((address, index) => `${address} user${index}/\n`).join(''),
  );
  const master = spawn(path.join(libraries, 'sbin/master'), ['-c', path.join(home, 'conf'), '-d'], {
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries, MAIL_CONFIG: path.join(home, 'conf') },
    stdio: 'ignore',
  });
  let isOver = false;
  master.once('exit', () => {
    isOver = true;
  });
  const boxes = recipients.map((_, index) => path.join(home, `mail/user${index}/new`));
  return {
    port,
    pid: master.pid,
    recipients,
    countStored: async () =>
      boxes.reduce((sum, box) => sum + (existsSync(box) ? readdirSync(box).length : 0), 0),
    stop: async () => {
      if (!isOver) {
        master.kill('SIGTERM');
        await new Promise(resolve => master.once('exit', resolve));
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * The operator's command-line tool: `npm run admin -- COMMAND`, with the commands in USAGE. It
 * connects to the running service's database, or starts the embedded one while it needs it.
 */
import process from 'node:process';
import { ADMIN_LEVELS, type AdminLevel } from '@keyfold/contract/limits';
import { PLANS, type Plan } from '@keyfold/contract/plans';
import { createDeps } from './app.ts';
import { createLogger } from './base/logger.ts';
import { type Config, readConfig } from './config/config.ts';
import { explainStartFailure } from './config/start-failure.ts';
import type { Deps } from './context/deps.ts';
import { openService, requireService } from './db/open.ts';
import { resetSecondFactor } from './features/accounts/second-factor/reset.ts';
import { CODES_USAGE, isCodeCommand, runCodeCommand } from './features/accounts/sign-up-codes/commands.ts';
import { findAdmins, setAdmin, setPlanOf } from './features/accounts/users/admins.ts';
import { BACKUP_USAGE, isBackupCommand, runBackupCommand } from './features/operator/backup/commands.ts';
import { ownRecordLines } from './features/organization/domains/own-records.ts';
import { dkimRecords } from './features/outbound/delivery/index.ts';
import { releaseSender } from './features/outbound/send-watch/index.ts';

/** The command that users type: deploy/bin/keyfold sets the process title. */
const CALLED_BY = process.title === 'keyfold' ? 'keyfold' : 'npm run admin --';

const USAGE = `Usage: ${CALLED_BY} COMMAND
  grant LEVEL ADDRESS            make the owner of ADDRESS an admin; LEVEL is ${ADMIN_LEVELS.join(', ')}
  revoke ADDRESS                 remove the owner's admin role; refused for the last super admin
  list                           list the admins
  set-plan PLAN ADDRESS          set the plan of the owner of ADDRESS; PLAN is ${PLANS.join(', ')}
  reset-second-factor ADDRESS    remove the owner's second factor, so that the password alone signs in, and send them a notice
  release-mail ADDRESS           release mail to other providers that is held because it looked like spam
  dkim                           show the DNS records to publish for the service's domains
${CODES_USAGE}
${BACKUP_USAGE}`;

const isLevel = (text: string | undefined): text is AdminLevel =>
  (ADMIN_LEVELS as readonly (string | undefined)[]).includes(text);

const isPlan = (text: string | undefined): text is Plan =>
  (PLANS as readonly (string | undefined)[]).includes(text);

/** Runs a command and returns the lines to print; null when there is no such command. */
async function execute(deps: Deps, [command, ...rest]: readonly string[]): Promise<string[] | null> {
  const [first, second] = rest;
  if (command === 'grant' && isLevel(first) && second !== undefined) {
    return [
      (await setAdmin(deps, second, first))
        ? `${second} now has admin level ${first}.`
        : `${second} already has admin level ${first}.`,
    ];
  }
  if (command === 'revoke' && first !== undefined) {
    await setAdmin(deps, first, null);
    return [`Removed the admin role of ${first}.`];
  }
  if (command === 'set-plan' && isPlan(first) && second !== undefined) {
    await setPlanOf(deps, second, first);
    return [`Set the plan of ${second} to ${first}.`];
  }
  if (command === 'reset-second-factor' && first !== undefined) {
    return (await resetSecondFactor(deps, first))
      ? [
          `Removed the authenticator app, keys and recovery codes of ${first}. The password alone now signs in.`,
          'The owner received a notice.',
        ]
      : [`${first} has no second factor.`];
  }
  if (command === 'release-mail' && first !== undefined)
    return [
      (await releaseSender(deps, first))
        ? `Released held mail of ${first}.`
        : `No mail of ${first} is on hold.`,
    ];
  if (command === 'list') {
    const admins = await findAdmins(deps.db);
    return admins.length === 0
      ? ['There are no admins.']
      : admins.map(one => `${one.admin_level}\t${one.email}`);
  }
  if (command === 'affiliate' || command === 'invitation') return runCodeCommand(deps, command, rest);
  return command === 'dkim' ? ownRecordLines(deps.config, await dkimRecords(deps)) : null;
}

function isCommand([command = '', ...rest]: readonly string[]): boolean {
  const commands: Readonly<Record<string, boolean>> = {
    grant: rest.length === 2 && isLevel(rest[0]),
    revoke: rest.length === 1,
    list: rest.length === 0,
    'set-plan': rest.length === 2 && isPlan(rest[0]),
    'reset-second-factor': rest.length === 1,
    'release-mail': rest.length === 1,
    dkim: rest.length === 0,
    affiliate: isCodeCommand('affiliate', rest),
    invitation: isCodeCommand('invitation', rest),
  };
  return Object.hasOwn(commands, command) && commands[command] === true;
}

/** Messages for failed commands, by error code. */
const REFUSALS: Readonly<Record<string, ((command: string) => string) | undefined>> = {
  not_found: command =>
    command === 'affiliate' || command === 'invitation' ? 'Code not found.' : 'No account has this address.',
  not_an_admin: () => 'The owner of this address is not an admin.',
  last_super: () => 'This is the last super admin. Appoint another one first (grant super ADDRESS).',
  code_taken: () => 'This code already exists.',
  malformed: () => 'The code or the note is too long or has a line break.',
};

/** The entries of USAGE, each with its continuation lines. */
const ENTRIES = USAGE.split(/\n(?= {2}\S)/).slice(1);

const entriesOf = (command: string): string[] => ENTRIES.filter(entry => entry.startsWith(`  ${command} `));
const hasUsage = (command: string): boolean => entriesOf(command).length > 0;
const usageOf = (command: string): string =>
  [`Usage: ${CALLED_BY} COMMAND`, ...entriesOf(command)].join('\n');

/** Explains an unknown command. Only the first word is repeated, because others may be secrets. */
const explainWords = (first: string): string =>
  hasUsage(first)
    ? `${usageOf(first)}\n\nWrong arguments for ${first}.`
    : `${USAGE}\n\nUnknown command ${JSON.stringify(first)}.`;

/** Commands that create a service from a backup, or only read a backup. */
const WITHOUT_SERVICE = new Set(['archive-rest', 'restore', 'restore-to', 'verify-backup']);

const HELP = ['help', '--help', '-h'];

/** Runs a command, reading the settings only when it needs them; returns the exit code. */
export async function runAdmin(args: readonly string[], readSettings: () => Config): Promise<number> {
  const [first, second = ''] = args;
  if (first === undefined || HELP.includes(first)) {
    console.log(USAGE);
    return 0;
  }
  if (HELP.includes(second) && hasUsage(first)) {
    console.log(usageOf(first));
    return 0;
  }
  if (!isCommand(args) && !isBackupCommand(args)) {
    console.error(explainWords(first));
    return 2;
  }
  let config: Config | null = null;
  try {
    config = readSettings();
    if (!WITHOUT_SERVICE.has(first)) requireService(config);
    const logger = createLogger('error');
    if (isBackupCommand(args)) {
      for (const line of await runBackupCommand(config, logger, args)) console.log(line);
      return 0;
    }
    const database = await openService(config, logger);
    const deps = await createDeps(config, database.connection, { logger, mayMakeKey: false }).catch(error =>
      database.close().then(() => Promise.reject(error)),
    );
    try {
      for (const line of (await execute(deps, args)) ?? []) console.log(line);
      return 0;
    } catch (error) {
      const words = REFUSALS[String((error as { code?: unknown }).code)];
      if (words === undefined) throw error;
      console.error(words(args[0] ?? ''));
      return 1;
    } finally {
      await deps.db.destroy();
      await database.close();
    }
  } catch (error) {
    console.error(explainStartFailure(error, config));
    return 1;
  }
}

if (import.meta.main) process.exitCode = await runAdmin(process.argv.slice(2), () => readConfig(process.env));

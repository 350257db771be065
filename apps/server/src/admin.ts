/**
 * The operator's tool: `npm run admin -- COMMAND`, with the commands of USAGE. It speaks to the database of the running
 * service, or starts the embedded one for as long as it needs it.
 */
import process from 'node:process';
import { ADMIN_LEVELS, type AdminLevel, PLANS, type Plan } from '@keyfold/contract/limits';
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

/** What this was called by: deploy/bin/keyfold gives the process its own name. */
const CALLED_BY = process.title === 'keyfold' ? 'keyfold' : 'npm run admin --';

const USAGE = `Usage: ${CALLED_BY} COMMAND
  grant LEVEL ADDRESS            make the owner of ADDRESS an admin; LEVEL is ${ADMIN_LEVELS.join(', ')}
  revoke ADDRESS                 make them a plain user again; the last super admin stays
  list                           show the admins
  set-plan PLAN ADDRESS          give the owner of ADDRESS a plan; PLAN is ${PLANS.join(', ')}
  reset-second-factor ADDRESS    let the owner of ADDRESS sign in with the password alone, and tell them by a notice
  release-mail ADDRESS           let mail to the outside go on that is held because it looked like spam
  dkim                           show the DNS records to publish for the service's domains
${CODES_USAGE}
${BACKUP_USAGE}`;

const isLevel = (text: string | undefined): text is AdminLevel =>
  (ADMIN_LEVELS as readonly (string | undefined)[]).includes(text);

const isPlan = (text: string | undefined): text is Plan =>
  (PLANS as readonly (string | undefined)[]).includes(text);

/** Does a command and answers the lines to print; null when there is no such command. */
async function execute(deps: Deps, [command, ...rest]: readonly string[]): Promise<string[] | null> {
  const [first, second] = rest;
  if (command === 'grant' && isLevel(first) && second !== undefined) {
    return [
      (await setAdmin(deps, second, first))
        ? `${second} is now an admin of level ${first}.`
        : `${second} is an admin of level ${first} already.`,
    ];
  }
  if (command === 'revoke' && first !== undefined) {
    await setAdmin(deps, first, null);
    return [`${first} is no admin any more.`];
  }
  if (command === 'set-plan' && isPlan(first) && second !== undefined) {
    await setPlanOf(deps, second, first);
    return [`${second} has the plan ${first} now.`];
  }
  if (command === 'reset-second-factor' && first !== undefined) {
    return (await resetSecondFactor(deps, first))
      ? [
          `${first} signs in with the password alone from now on: app, keys and recovery codes are forgotten.`,
          'A notice in the mailbox says so.',
        ]
      : [`${first} has no second factor.`];
  }
  if (command === 'release-mail' && first !== undefined)
    return [
      (await releaseSender(deps, first))
        ? `Mail of ${first} to the outside goes on.`
        : `No mail of ${first} is held.`,
    ];
  if (command === 'list') {
    const admins = await findAdmins(deps.db);
    return admins.length === 0
      ? ['There is no admin.']
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

/** What is said of a command that could not be done, by the error's code. */
const REFUSALS: Readonly<Record<string, ((command: string) => string) | undefined>> = {
  not_found: command =>
    command === 'affiliate' || command === 'invitation'
      ? 'There is no such code.'
      : 'Nobody has this address.',
  not_an_admin: () => 'The owner of this address is no admin.',
  last_super: () => 'This is the last super admin: make another one first (grant super ADDRESS).',
  code_taken: () => 'This code exists already.',
  malformed: () => 'The code or the note is too long, or not on one line.',
};

/** Entries of the usage, each with the lines that go on below it. */
const ENTRIES = USAGE.split(/\n(?= {2}\S)/).slice(1);

const entriesOf = (command: string): string[] => ENTRIES.filter(entry => entry.startsWith(`  ${command} `));
const hasUsage = (command: string): boolean => entriesOf(command).length > 0;
const usageOf = (command: string): string =>
  [`Usage: ${CALLED_BY} COMMAND`, ...entriesOf(command)].join('\n');

/** What is wrong with words that are no command. Only the first is repeated: others may be secrets. */
const explainWords = (first: string): string =>
  hasUsage(first)
    ? `${usageOf(first)}\n\nThe words after ${first} are not those it takes.`
    : `${USAGE}\n\nThere is no command ${JSON.stringify(first)}.`;

/** Commands that make a service out of a backup, or only read one. */
const WITHOUT_SERVICE = new Set(['archive-rest', 'restore', 'restore-to', 'verify-backup']);

const HELP = ['help', '--help', '-h'];

/** Runs a command with the settings that are read when it needs them; returns the exit code. */
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

/**
 * Runs one program for the tools, with its output captured or shown and a timeout. The program
 * leads its own process group, so that ending it ends everything it started and nothing else on the
 * machine.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Returns the path of a program that npm installed, for example `bin('vitest')`. */
export function bin(name) {
  return path.join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);
}

/**
 * Ends a child and everything in its process group, first gracefully, then by force after graceMs.
 */
export function endGroup(child, graceMs = 5_000) {
  const send = signal => {
    try {
      if (process.platform === 'win32') child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // Already gone, as intended.
    }
  };
  send('SIGTERM');
  setTimeout(() => send('SIGKILL'), graceMs).unref();
}

/**
 * Runs a program to its end. Never throws for a failing program: read `code` (null after a
 * timeout), `output` (stdout and stderr in order of arrival) and `stdout` alone. Both outputs are
 * empty when `show` passes them through.
 */
export function runCommand(command, args, { cwd = root, env = {}, timeoutMs = 600_000, show = false } = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32',
    });
    const parts = [];
    const printed = [];
    let isLate = false;
    child.stdout?.on('data', part => {
      parts.push(part);
      printed.push(part);
    });
    child.stderr?.on('data', part => parts.push(part));
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, timeoutMs);
    const stop = () => endGroup(child);
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    const finish = (code, extra) => {
      clearTimeout(timer);
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      const output = Buffer.concat(parts).toString('utf8') + extra;
      resolve({
        code: isLate ? null : code,
        isLate,
        output,
        stdout: Buffer.concat(printed).toString('utf8'),
      });
    };
    child.once('error', error => finish(1, error.message));
    child.once('close', code => finish(code ?? 1, ''));
  });
}

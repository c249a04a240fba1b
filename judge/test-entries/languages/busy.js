// Optimised code, workers with shared memory, child processes, files, timers.
'use strict';
const assert = require('assert');
const { execFileSync, fork, spawn } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { isMainThread, Worker, workerData, parentPort } = require('worker_threads');

const part = (number) => {
    let sum = 0;
    for (let i = 0; i < 3_000_000; i++) sum += i % (number + 3);
    return sum;
};

const done = (child) => new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
});

async function main() {
    const board = fs.readFileSync(process.argv[process.argv.length - 1], 'utf8');
    const shared = new Int32Array(new SharedArrayBuffer(16));
    const workers = [0, 1].map((number) => new Promise((resolve, reject) => {
        const worker = new Worker(__filename, { workerData: { number, shared } });
        worker.on('message', resolve);
        worker.on('error', reject);
    }));
    await Promise.all(workers);
    assert.strictEqual(Atomics.load(shared, 0), 2);
    assert(part(5) > 0);
    const module = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    assert(await WebAssembly.instantiate(module));

    assert.strictEqual(execFileSync('echo', ['word']).toString(), 'word\n');
    const child = spawn('cat', { stdio: ['pipe', 'pipe', 'inherit'] });
    const printed = new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.end('child');
    assert.strictEqual((await printed).toString(), 'child');
    await done(child);
    assert.strictEqual(await done(fork(__filename, ['--child'])), 0);

    const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'busy-'));
    await fs.promises.writeFile(path.join(folder, 'file'), board);
    await fs.promises.rename(path.join(folder, 'file'), path.join(folder, 'new'));
    assert.deepStrictEqual(await fs.promises.readdir(folder), ['new']);
    assert((await fs.promises.stat(path.join(folder, 'new'))).isFile());
    await fs.promises.rm(folder, { recursive: true });
    await new Promise((resolve) => setTimeout(resolve, 1));
    assert(crypto.randomBytes(8) && os.cpus() && os.totalmem());
    assert(new Array(1_000_000).fill(0).map((_, i) => ({ i })).length);
    console.log('lluu');
}

if (process.argv.includes('--child')) {
    process.send('here', () => process.disconnect());
} else if (isMainThread) {
    main().catch((error) => {
        console.error(error);
        process.exit(3);
    });
} else {
    part(workerData.number);
    Atomics.add(workerData.shared, 0, 1);
    parentPort.postMessage('done');
}

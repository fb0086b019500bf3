// Deposit addresses, derived below the operator's extended public key (BIP-32). The service holds
// no private key, so it cannot move anything.

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { bytesToHex, publicKeyToAddress } from 'viem/utils'
import { GatewaySettingError } from '../port.ts'

/** The indexes are non-hardened, so both are below 2^31. */
export type DepositPath = { branch: number; index: number }

export type DeriveAddress = (path: DepositPath) => string

/** Throws GatewaySettingError, which does not repeat the key, for anything but a public one. */
export function openDeposits(xpub: string): DeriveAddress {
  const account = readKey(xpub)
  const branches = new Map<number, HDKey>()
  return ({ branch, index }) => {
    const parent = branches.get(branch) ?? account.deriveChild(branch)
    branches.set(branch, parent)
    const { publicKey } = parent.deriveChild(index)
    if (publicKey === null) throw new Error(`no public key at ${branch}/${index}`)
    const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
    return publicKeyToAddress(bytesToHex(point))
  }
}

function readKey(xpub: string): HDKey {
  let key: HDKey
  try {
    key = HDKey.fromExtendedKey(xpub)
  } catch {
    // The library's message contains the key.
    throw new GatewaySettingError('EVM_XPUB is not an extended public key (xpub...)')
  }
  if (key.privateKey === null) return key
  key.wipePrivateData()
  throw new GatewaySettingError(
    'EVM_XPUB is an extended private key (xprv...); payments need the public one, xpub...',
  )
}

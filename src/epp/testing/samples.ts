// For tests: every command with every option, as the request fixtures hold it.
import { contactCheck } from '../commands/contact-check.ts'
import { contactCreate } from '../commands/contact-create.ts'
import { contactDelete } from '../commands/contact-delete.ts'
import { contactInfo } from '../commands/contact-info.ts'
import { contactUpdate } from '../commands/contact-update.ts'
import { domainCheck } from '../commands/domain-check.ts'
import { domainCreate } from '../commands/domain-create.ts'
import { domainDelete } from '../commands/domain-delete.ts'
import { domainInfo } from '../commands/domain-info.ts'
import { domainRenew } from '../commands/domain-renew.ts'
import {
  transferApprove,
  transferCancel,
  transferQuery,
  transferReject,
  transferRequest,
} from '../commands/domain-transfer.ts'
import { domainRestore, domainRestoreReport, domainUpdate } from '../commands/domain-update.ts'
import { helloFrame } from '../commands/hello.ts'
import { hostCheck } from '../commands/host-check.ts'
import { hostCreate } from '../commands/host-create.ts'
import { hostDelete } from '../commands/host-delete.ts'
import { hostInfo } from '../commands/host-info.ts'
import { hostUpdate } from '../commands/host-update.ts'
import { login } from '../commands/login.ts'
import { logout } from '../commands/logout.ts'
import { pollAck, pollRequest } from '../commands/poll.ts'
import { ns } from '../namespaces.ts'

const id = 'ABC-12345'
const name = 'example.com'
const fee = { currency: 'USD', amount: '10.00' }
const ds = { key_tag: 12345, algorithm: 13, digest_type: 2, digest: '49FD46E6C4B45C55' }
const none = { nameservers: [], contacts: [], statuses: [] }
const services = {
  client_id: 'ClientX',
  objects: [ns.domain, ns.contact, ns.host],
  extensions: [ns.rgp, ns.secDNS, ns.fee, ns.loginSec],
}

export const contact = {
  id: 'sh8013',
  name: 'Zaneta Los',
  organization: 'Los & Co',
  street: ['Piotrkowska 1', 'Suite 100'],
  city: 'Lodz',
  state: 'LD',
  postal_code: '90-001',
  country_code: 'PL',
  voice: '+48.501234567',
  email: 'z@example.com',
  auth_info: '2fooBAR<>&"\'',
}
const localContact = { ...contact, name: 'Żaneta Łoś', organization: null, state: null, street: [] }

const create = {
  name,
  period_years: 2,
  nameservers: ['ns1.example.net', 'ns2.example.net'],
  host_model: 'hostObj' as const,
  registrant: 'jd1234',
  contacts: [
    { type: 'admin' as const, id: 'sh8013' },
    { type: 'tech' as const, id: 'sh8014' },
    { type: 'billing' as const, id: 'sh8015' },
  ],
  auth_info: '2fooBAR',
  fee,
  ds_records: [ds],
}
const bareCreate = {
  ...create,
  host_model: 'hostAttr' as const,
  registrant: null,
  contacts: [],
  auth_info: '',
  fee: null,
  ds_records: [],
}
const update = {
  name,
  host_model: 'hostObj' as const,
  add: {
    nameservers: ['ns3.example.net'],
    contacts: [{ type: 'tech' as const, id: 'mak21' }],
    statuses: ['clientHold', 'clientTransferProhibited'],
  },
  remove: {
    nameservers: ['ns1.example.net'],
    contacts: [{ type: 'tech' as const, id: 'sh8014' }],
    statuses: ['clientUpdateProhibited'],
  },
  registrant: 'sh8013',
  auth_info: '2BARfoo',
  ds_records: { add: [ds], remove: [ds] },
}

/** By the name of the fixture, without `.request.xml`. */
export const samples: Record<string, string> = {
  hello: helloFrame,
  login: login.frame({ ...services, password: 'foo-BAR2' }, id),
  'login-long': login.frame({ ...services, password: 'a password of some length' }, id),
  'login-plain': login.frame({ ...services, password: 'foo-BAR2', extensions: [] }, id),
  logout: logout.frame(null, id),
  'poll-request': pollRequest.frame(null, id),
  'poll-ack': pollAck.frame({ id: '12345' }, id),
  'domain-check': domainCheck.frame({ names: [name, 'example.net'], fees: null }, id),
  'domain-check-fee': domainCheck.frame(
    {
      names: [name, 'xn--da-xka.example'],
      fees: {
        currency: 'USD',
        verbs: ['create', 'renew', 'transfer', 'restore'],
        period_years: 1,
      },
    },
    id,
  ),
  'domain-info': domainInfo.frame({ name, auth_info: null }, id),
  'domain-info-auth': domainInfo.frame({ name, auth_info: '2fooBAR' }, id),
  'domain-create': domainCreate.frame(create, id),
  'domain-create-bare': domainCreate.frame(bareCreate, id),
  'domain-create-alone': domainCreate.frame({ ...bareCreate, nameservers: [] }, id),
  'domain-renew': domainRenew.frame({ name, cur_exp_date: '2028-02-29', period_years: 5, fee }, id),
  'domain-renew-free': domainRenew.frame(
    { name, cur_exp_date: '2028-04-03', period_years: 1, fee: null },
    id,
  ),
  'transfer-request': transferRequest.frame(
    { name, auth_info: '2fooBAR', period_years: 1, fee },
    id,
  ),
  'transfer-request-free': transferRequest.frame(
    { name, auth_info: '2fooBAR', period_years: null, fee: null },
    id,
  ),
  'transfer-query': transferQuery.frame({ name, auth_info: '2fooBAR' }, id),
  'transfer-cancel': transferCancel.frame({ name, auth_info: null }, id),
  'transfer-approve': transferApprove.frame({ name, auth_info: null }, id),
  'transfer-reject': transferReject.frame({ name, auth_info: null }, id),
  'domain-update': domainUpdate.frame(update, id),
  'domain-update-unset': domainUpdate.frame(
    { name, host_model: 'hostAttr', add: none, remove: none, registrant: null, auth_info: null },
    id,
  ),
  'domain-update-hosts': domainUpdate.frame(
    {
      name,
      host_model: 'hostAttr',
      add: { ...none, nameservers: ['ns3.example.net'] },
      remove: { ...none, nameservers: ['ns1.example.net'] },
    },
    id,
  ),
  'domain-update-ds': domainUpdate.frame(
    {
      name,
      host_model: 'hostAttr',
      add: none,
      remove: none,
      ds_records: { add: [ds], remove: 'all' },
    },
    id,
  ),
  'domain-restore': domainRestore.frame({ name, fee }, id),
  'domain-restore-report': domainRestoreReport.frame(
    {
      name,
      deleted_at: '2026-11-01T10:00:00Z',
      restored_at: '2026-11-21T10:00:00.0Z',
      before: 'registrant jd1234; ns1.example.net',
      after: 'registrant jd1234; ns1.example.net',
      reason: 'Deleted by mistake',
      statements: ['Not for ourselves.', 'All of this is true.'],
    },
    id,
  ),
  'domain-delete': domainDelete.frame({ name }, id),
  'contact-check': contactCheck.frame({ ids: ['sh8013', 'sah8013'] }, id),
  'contact-info': contactInfo.frame({ id: 'sh8013', auth_info: null }, id),
  'contact-info-auth': contactInfo.frame({ id: 'sh8013', auth_info: '2fooBAR' }, id),
  'contact-create': contactCreate.frame(contact, id),
  'contact-create-local': contactCreate.frame({ ...contact, ...localContact }, id),
  'contact-update': contactUpdate.frame(contact, id),
  'contact-delete': contactDelete.frame({ id: 'sh8013' }, id),
  'host-check': hostCheck.frame({ names: ['ns1.example.com', 'ns2.example.com'] }, id),
  'host-info': hostInfo.frame({ name: 'ns1.example.com' }, id),
  'host-create': hostCreate.frame(
    { name: 'ns1.example.com', addresses: ['192.0.2.2', '2001:db8::1'] },
    id,
  ),
  'host-create-bare': hostCreate.frame({ name: 'ns1.example.net', addresses: [] }, id),
  'host-update': hostUpdate.frame(
    {
      name: 'ns1.example.com',
      add: ['192.0.2.22'],
      remove: ['2001:db8::1'],
      new_name: 'ns9.example.com',
    },
    id,
  ),
  'host-delete': hostDelete.frame({ name: 'ns1.example.com' }, id),
}

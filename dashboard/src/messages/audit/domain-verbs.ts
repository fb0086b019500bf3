// Verbs of the audit log for actions on domains.

/**
 * The past tense, and the infinitive for attempts; the object follows both. `pending` is for open
 * actions that are not an order at a registry.
 */
export type Verb = readonly [done: string, tried: string, pending?: string]

export const domainVerbs: Readonly<Record<string, Verb>> = {
  create_quote: ['asked for the price of', 'ask for the price of'],
  register_domain: ['bought', 'buy'],
  renew_domain: ['renewed', 'renew'],
  transfer_domain: ['transferred in', 'transfer in'],
  restore_domain: ['restored', 'restore'],
  auto_renew: ['automatically renewed', 'automatically renew'],
  set_auto_renew: ['changed the automatic renewal of', 'change the automatic renewal of'],
  update_domain: ['changed', 'change'],
  update_nameservers: ['changed the name servers of', 'change the name servers of'],
  configure_dns_record: ['set a DNS record of', 'set a DNS record of'],
  put_record_set: ['set DNS records of', 'set DNS records of'],
  delete_record_set: ['deleted DNS records of', 'delete DNS records of'],
  change_dns_records: ['changed DNS records of', 'change DNS records of'],
  replace_dns_records: ['replaced all DNS records of', 'replace all DNS records of'],
  create_tsig_key: ['created a key for DNS updates of', 'create a key for DNS updates of'],
  delete_tsig_key: ['deleted a key for DNS updates of', 'delete a key for DNS updates of'],
  revert_dns_change: ['undid a change of DNS records of', 'undo a change of DNS records of'],
  cancel_waiting_nameservers: [
    'canceled the waiting change of the name servers of',
    'cancel the waiting change of the name servers of',
  ],
  apply_dns_template: [
    'applied a template of DNS records to',
    'apply a template of DNS records to',
  ],
  import_dns_zone: ['imported DNS records of', 'import DNS records of'],
  revert_unconfirmed_dns_change: [
    'undid an unconfirmed change of DNS records of',
    'undo an unconfirmed change of DNS records of',
  ],
  revert_unconfirmed_nameservers: [
    'undid an unconfirmed change of the name servers of',
    'undo an unconfirmed change of the name servers of',
  ],
  keep_unconfirmed_dns_change: [
    'left an unconfirmed change of DNS in place for',
    'leave an unconfirmed change of DNS in place for',
  ],
  confirm_dns_change: ['confirmed a DNS change of', 'confirm a DNS change of'],
  lock_domain: ['locked', 'lock'],
  protect_domain: ['protected', 'protect'],
  set_domain_reserve: ['changed the funding of renewals of', 'change the funding of renewals of'],
  unprotect_domain: ['ended the protection of', 'end the protection of'],
  unlock_domain: ['unlocked', 'unlock'],
  get_transfer_auth_code: ['read the transfer code of', 'read the transfer code of'],
  regenerate_transfer_auth_code: ['replaced the transfer code of', 'replace the transfer code of'],
  approve_transfer: ['approved the transfer of', 'approve the transfer of'],
  reject_transfer: ['rejected the transfer of', 'reject the transfer of'],
  transfer_out_requested: [
    'received a request to transfer away',
    'receive a request to transfer away',
    'received a request to transfer away',
  ],
  domain_transferred_away: ['recorded the transfer away of', 'record the transfer away of'],
  domain_dropped: ['recorded the deletion of', 'record the deletion of'],
  hold_unpaid_domain: ['suspended the unpaid domain', 'suspend the unpaid domain'],
  remove_client_statuses: [
    'removed the statuses that the former registrar had set on',
    'remove the statuses that the former registrar had set on',
  ],
  lift_unpaid_hold: ['lifted the suspension of', 'lift the suspension of'],
  sync_contacts: [
    'sent a changed contact to a registry for',
    'send a changed contact to a registry for',
  ],
  unset_auth_code: ['removed the transfer code of', 'remove the transfer code of'],
  cancel_transfer: ['canceled the transfer of', 'cancel the transfer of'],
  delete_unpaid_domain: ['deleted the unpaid domain', 'delete the unpaid domain'],
  park_order: ['parked an order of', 'park an order of', 'parked an order of'],
  expiry_notice: ['sent a notice about the expiry of', 'send a notice about the expiry of'],
}

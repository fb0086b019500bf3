# One step of a transfer at a registry with Net::EPP, a third-party client. Prints the transfer as
# JSON.
use strict;
use warnings;
use JSON::PP;
use Net::EPP::Simple;

my ($settings, $step, $name, $auth_info) = @ARGV;
my %option = %{ decode_json($settings) };
my $epp = Net::EPP::Simple->new(
    (map { $_ => $option{$_} } qw(host port user pass key cert ca_file)),
    verify      => 1,
    timeout     => 10,
    load_config => 0,
) or die "login: $Net::EPP::Simple::Error\n";

my %steps = (
    request => sub { $epp->domain_transfer_request($name, $auth_info, 1) },
    query   => sub { $epp->domain_transfer_query($name) },
    approve => sub { $epp->domain_transfer_approve($name) },
    reject  => sub { $epp->domain_transfer_reject($name) },
);
my $answer = $steps{$step}->();
die "domain:transfer $step $name: $Net::EPP::Simple::Error\n" unless defined $answer;
$epp->logout;
print JSON::PP->new->canonical->allow_nonref->encode($answer), "\n";

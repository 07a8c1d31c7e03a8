/**
 * A key and a certificate for `files.example.test` and 127.0.0.1, valid from 2020 to 2120. Made with
 * `openssl ca -selfsign` for these tests; only tests trust it.
 */
export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCMl5AWCl6/mVJe0g
QzbGvaAIQq6+DUBgV0zwo9JeIXChRANCAASdnzTE8SN/wZUCK3xc2PtuTfzzfyhz
DgW+5iZfLvyVEUbF+SxCQcvO/Bu5z7nHi4KJlt4WLGpAw4vfIIWvLDN9
-----END PRIVATE KEY-----
`;

export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBgjCCASigAwIBAgIBATAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJmaWxlcy5l
eGFtcGxlLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMB0x
GzAZBgNVBAMMEmZpbGVzLmV4YW1wbGUudGVzdDBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABJ2fNMTxI3/BlQIrfFzY+25N/PN/KHMOBb7mJl8u/JURRsX5LEJBy878
G7nPuceLgomW3hYsakDDi98gha8sM32jVzBVMA8GA1UdEwEB/wQFMAMBAf8wIwYD
VR0RBBwwGoISZmlsZXMuZXhhbXBsZS50ZXN0hwR/AAABMB0GA1UdDgQWBBTlt4WJ
Dwal9Ex8hq1dOWE03qN8gzAKBggqhkjOPQQDAgNIADBFAiAe4kGUGl8dQdogsWKG
RphWItOJXORt8gOvef1X0QsnOgIhAJWG9Y/O8q7INgj6QWtMlclstgiAllM1qIaw
gjIvNkwv
-----END CERTIFICATE-----
`;
